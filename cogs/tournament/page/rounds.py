"""The rounds: who met whom, deal by deal, each deal with its replay; and the boards of a duplicate, table by table.

The bracket: columns side by side on a desk, round under round on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.brackets.plan import Label, Part
from bot.tournaments.brackets.results import SlotState, State
from bot.tournaments.brackets.trees import Column, Tree, trees
from bot.tournaments.course import Match, Played
from bot.tournaments.export.sheets import entries_of
from cogs.tournament.page.html import Json, PageSource, folded, number, section, text


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


def rounds(told: PageSource, *, left_out: bool = False) -> str:
    """All rounds, the newest first; with `left_out` it is said that the replays are not here."""
    shown = [_round(told, one) for one in reversed(told.document["rounds"])]
    said = f"<p>{text(told.words('event_page.replays_left_out'))}</p>" if left_out else ""
    return section("rounds", told.words("event_page.rounds"), said, *shown)


def _round(told: PageSource, one: Json) -> str:
    title = told.words("event_page.round", round=one["number"])
    matches = "".join(_match(told, match) for match in one["matches"])
    out = "".join(_unpaired(told, sat) for sat in one["unpaired"])
    free = f'<ul class="free">{out}</ul>' if out else ""
    by_hand = f"<p>{text(told.words('event_page.by_hand'))}</p>" if one["by_hand"] else ""
    return f'<h3 id="r{one["number"]}">{text(title)}</h3>{by_hand}<div class="matches">{matches}</div>{free}'


def _match(told: PageSource, match: Json) -> str:
    words, kind = told.words, match["kind"]
    badge = "" if kind == "played" else f' <span class="badge">{text(words(f"event_result.{kind}"))}</span>'
    head = f"<h4>{text(words('event_page.table', table=match['table']))}{badge}</h4>"
    best = max(side["points"] for side in match["sides"])
    won = len({side["points"] for side in match["sides"]}) > 1
    rows = "".join(_row_of_side(told, match, side, won=won and side["points"] == best) for side in match["sides"])
    reason = f'<p class="reason">{text(match["reason"])}</p>' if match["reason"] else ""
    return f'<article class="match">{head}<table class="sides">{rows}</table>{reason}{_deals(told, match)}</article>'


def _row_of_side(told: PageSource, match: Json, side: Json, *, won: bool) -> str:
    marked = ' class="won"' if won else ""
    worth, score = _match_points(told, side["points"]), _score(told, match, side)
    names = told.entries(entries_of(side))
    return f'<tr{marked}><th scope="row">{names}</th><td class="t">{worth}</td><td class="s">{score}</td></tr>'


def _match_points(told: PageSource, points: int) -> str:
    """What a match was worth; nothing where boards are compared instead."""
    duplicate = told.document["event"]["duplicate"]
    if duplicate is not None and duplicate["scoring"] != "imp_vp":
        return ""
    return told.points(points)


def _score(told: PageSource, match: Json, side: Json) -> str:
    met = match["kind"] in ("played", "adjusted") and match["deals"]
    return number(told.words, side["score"]) if met else ""


def _deals(told: PageSource, match: Json) -> str:
    """Deal by deal; of a match of teams the boards, whose results are compared further down."""
    deals = "".join(_deal(told, match, deal) for deal in match["deals"])
    if deals or "boards" not in match:
        return deals
    return "".join(
        folded(text(told.words("event_page.board", board=board)), told.replays[match["id"], board], kind="deal")
        for board in match["boards"]
        if (match["id"], board) in told.replays
    )


def _deal(told: PageSource, match: Json, deal: Json) -> str:
    words = told.words
    label = "event_page.board" if told.document["boards"] else "event_page.deal"
    title = f"{text(words(label, board=deal['number'], deal=deal['number']))} <b>{_scores(told, deal['scores'])}</b>"
    if deal["void"]:
        title += f' <span class="badge">{text(words("event_result.void"))}</span>'
    if "as_played" in deal:
        title += f" <small>{text(words('event_page.as_played', scores=_scores(told, deal['as_played'])))}</small>"
    replay = told.replays.get((match["id"], deal["number"]))
    return f'<p class="deal">{title}</p>' if replay is None else folded(title, replay, kind="deal")


def _scores(told: PageSource, scores: Sequence[int]) -> str:
    return " : ".join(number(told.words, one) for one in scores)


def _unpaired(told: PageSource, sat: Json) -> str:
    said = told.words(f"event_out.{sat['code']}", points=told.points(sat["points"]))
    return f"<li>{told.entry(sat['entry'])}: {said}</li>"


# --- boards ----------------------------------------------------------------------------------------------------------


def boards(told: PageSource) -> str:
    """Each board with what all tables made of it; of a sealed one only that it is."""
    shown = [_board(told, one) for one in told.document["boards"]]
    return section("boards", told.words("event_page.boards"), *shown)


def _board(told: PageSource, board: Json) -> str:
    words = told.words
    title = words("event_page.board_of", board=board["number"], minimum=board["minimum"], seat=board["dealer"] + 1)
    if board["seed"] is None:
        return f"<h3>{text(title)}</h3><p>{text(words('event_page.sealed'))}</p>"
    columns = ("ns", "ew", "result", "mp", "imp")
    head = "".join(f'<th scope="col">{text(words(f"event_column.{one}"))}</th>' for one in columns)
    ordered = sorted(board["results"], key=_net, reverse=True)
    rows = "".join(_result(told, one) for one in ordered)
    table = f'<table class="board"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<h3 id="b{board["number"]}">{text(title)}</h3><div class="wide">{table}</div>'


def _net(result: Json) -> float:
    scores = result["scores"]
    return float("-inf") if scores is None else float(scores[0] - scores[1])


def _result(told: PageSource, result: Json) -> str:
    words = told.words
    if result["adjusted"] is not None:
        made = " / ".join(f"{share} %" for share in result["adjusted"])
    else:
        made = "–" if result["scores"] is None else number(words, result["scores"][0] - result["scores"][1])
    figures = [None if result[one] is None else result[one][0] for one in ("mp", "ximp")]
    cells = [f"<td>{'–' if one is None else number(words, one, places=2)}</td>" for one in figures]
    sides = f'<th scope="row">{told.entry(result["ns"])}</th><td class="n">{told.entry(result["ew"])}</td>'
    return f"<tr>{sides}<td><b>{made}</b></td>{''.join(cells)}</tr>"
