"""The bracket: columns side by side on a desk, round under round on a phone."""

from __future__ import annotations

from bot.tournaments.brackets.resolving import SlotState, State
from bot.tournaments.brackets.slots import Label, Part
from bot.tournaments.brackets.trees import Column, Tree, trees
from bot.tournaments.course import Match, Played
from cogs.tournament.page.part_writing import PageSource, number, section, text


def bracket(told: PageSource) -> str:
    """All parts of the bracket, if there is one."""
    shown = told.material.bracket
    if shown is None:
        return ""
    matches = matches_by_slot(told)
    parts = [_tree(told, one, matches) for one in trees(shown)]
    return section("bracket", told.words("event_page.bracket"), *parts)


def matches_by_slot(told: PageSource) -> dict[str, Match]:
    """The match that counts in each slot."""
    played = (match for one in told.course.rounds for match in one.matches)
    return {match.slot: match for match in played if match.slot and match.kind is not Played.VOID}


def _tree(told: PageSource, tree: Tree, matches: dict[str, Match]) -> str:
    title = "" if tree.part is Part.MAIN else f"<h3>{text(told.words(f'event_part.{tree.part.value}'))}</h3>"
    columns = "".join(_column(told, one, matches) for one in tree.columns)
    return f'{title}<div class="bracket">{columns}</div>'


def _column(told: PageSource, column: Column, matches: dict[str, Match]) -> str:
    label = text(label_of(told, column))
    slots = "".join(_slot(told, look, matches.get(look.slot.name)) for look in column.looks)
    return f'<div class="column"><h4>{label}</h4><div class="slots">{slots}</div></div>'


def label_of(told: PageSource, column: Column) -> str:
    """What a round of a bracket is called; the halves of a double one have no final of their own."""
    slot = column.looks[0].slot
    if slot.label is Label.ROUND or slot.part in (Part.UPPER, Part.LOWER):
        return told.words("event_page.round", round=slot.round)
    return told.words(f"event_label.{slot.label.value}")


def _slot(told: PageSource, look: SlotState, match: Match | None) -> str:
    if look.state is State.EMPTY:
        return '<div class="slot empty"></div>'
    rows = "".join(_side(told, look, side, match) for side in (0, 1))
    kind = ""
    if match is not None and match.kind in (Played.FORFEIT, Played.DOUBLE_FORFEIT):
        kind = f'<small class="badge">{text(told.words(f"event_result.{match.kind.value}"))}</small>'
    return f'<div class="slot"><div class="pair">{rows}{kind}</div></div>'


def _side(told: PageSource, look: SlotState, side: int, match: Match | None) -> str:
    entry = look.sides[side]
    if entry is None:
        known = "bye" if look.known[side] and look.state is State.BYE else "nobody" if look.known[side] else "open"
        return f'<div class="none">{text(told.words(f"event_slot.{known}"))}</div>'
    won = " won" if look.winner == entry else ""
    score = ""
    if match is not None and match.met and (found := match.side_of(entry)) is not None:
        score = f"<b>{number(told.words, match.sides[found].score)}</b>"
    return f'<div class="side{won}"><span>{told.entry(entry)}</span>{score}</div>'
