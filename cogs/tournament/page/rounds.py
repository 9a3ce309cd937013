"""The page's sections on rounds (matches, deals, replays), duplicate boards, and the bracket."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.brackets.bracket_slots import BracketPart, RoundLabel
from bot.tournaments.brackets.bracket_trees import BracketTree, TreeColumn, bracket_trees
from bot.tournaments.brackets.results import SlotProgress, SlotState
from bot.tournaments.counted_results import Match, ResultKind
from bot.tournaments.export.sheets import entries_of
from cogs.tournament.page.html import Json, PageSource, escape_html, foldable_block, number_text, section_html


def bracket_section(source: PageSource) -> str:
    """Return the section with all parts of the bracket; "" for formats without one."""
    bracket = source.material.bracket
    if bracket is None:
        return ""
    matches = matches_by_slot(source)
    parts = [_tree_html(source, one, matches) for one in bracket_trees(bracket)]
    return section_html("bracket", source.words("event_page.bracket"), *parts)


def matches_by_slot(source: PageSource) -> dict[str, Match]:
    """Return the valid match of each slot, by the slot's name."""
    played = (match for one in source.course.rounds for match in one.matches)
    return {match.slot: match for match in played if match.slot and match.kind is not ResultKind.VOID}


def _tree_html(source: PageSource, tree: BracketTree, matches: dict[str, Match]) -> str:
    title = (
        ""
        if tree.part is BracketPart.MAIN
        else f"<h3>{escape_html(source.words(f'event_part.{tree.part.value}'))}</h3>"
    )
    columns = "".join(_column_html(source, one, matches) for one in tree.columns)
    return f'{title}<div class="bracket">{columns}</div>'


def _column_html(source: PageSource, column: TreeColumn, matches: dict[str, Match]) -> str:
    label = escape_html(column_title(source, column))
    slots = "".join(_slot_html(source, view, matches.get(view.slot.name)) for view in column.slot_states)
    return f'<div class="column"><h4>{label}</h4><div class="slots">{slots}</div></div>'


def column_title(source: PageSource, column: TreeColumn) -> str:
    """Return the title of a bracket's round.

    Neither half of a double bracket has a round called final.
    """
    slot = column.slot_states[0].slot
    if slot.label is RoundLabel.ROUND or slot.part in (BracketPart.UPPER, BracketPart.LOWER):
        return source.words("event_page.round", round=slot.round)
    return source.words(f"event_label.{slot.label.value}")


def _slot_html(source: PageSource, slot: SlotState, match: Match | None) -> str:
    if slot.state is SlotProgress.EMPTY:
        return '<div class="slot empty"></div>'
    rows = "".join(_side_html(source, slot, side, match) for side in (0, 1))
    kind = ""
    if match is not None and match.kind in (ResultKind.FORFEIT, ResultKind.DOUBLE_FORFEIT):
        kind = f'<small class="badge">{escape_html(source.words(f"event_result.{match.kind.value}"))}</small>'
    return f'<div class="slot"><div class="pair">{rows}{kind}</div></div>'


def _side_html(source: PageSource, slot: SlotState, side: int, match: Match | None) -> str:
    entry = slot.sides[side]
    if entry is None:
        known = (
            "bye" if slot.known[side] and slot.state is SlotProgress.BYE else "nobody" if slot.known[side] else "open"
        )
        return f'<div class="none">{escape_html(source.words(f"event_slot.{known}"))}</div>'
    won = " won" if slot.winner == entry else ""
    score = ""
    if match is not None and match.is_played and (found := match.side_of(entry)) is not None:
        score = f"<b>{number_text(source.words, match.sides[found].score)}</b>"
    return f'<div class="side{won}"><span>{source.entry_html(entry)}</span>{score}</div>'


def rounds_section(source: PageSource, *, left_out: bool = False) -> str:
    """Return the section on all rounds, newest first; with `left_out` it says that replays are left out."""
    shown = [_round_html(source, one) for one in reversed(source.document["rounds"])]
    text = f"<p>{escape_html(source.words('event_page.replays_left_out'))}</p>" if left_out else ""
    return section_html("rounds", source.words("event_page.rounds"), text, *shown)


def _round_html(source: PageSource, round_: Json) -> str:
    title = source.words("event_page.round", round=round_["number"])
    matches = "".join(_match_html(source, match) for match in round_["matches"])
    out = "".join(_unpaired_row_html(source, sat) for sat in round_["unpaired"])
    free = f'<ul class="free">{out}</ul>' if out else ""
    by_hand = f"<p>{escape_html(source.words('event_page.by_hand'))}</p>" if round_["by_hand"] else ""
    return f'<h3 id="r{round_["number"]}">{escape_html(title)}</h3>{by_hand}<div class="matches">{matches}</div>{free}'


def _match_html(source: PageSource, match: Json) -> str:
    words, kind = source.words, match["kind"]
    badge = "" if kind == "played" else f' <span class="badge">{escape_html(words(f"event_result.{kind}"))}</span>'
    head = f"<h4>{escape_html(words('event_page.table', table=match['table']))}{badge}</h4>"
    best = max(side["points"] for side in match["sides"])
    won = len({side["points"] for side in match["sides"]}) > 1
    rows = "".join(_side_row_html(source, match, side, won=won and side["points"] == best) for side in match["sides"])
    reason = f'<p class="reason">{escape_html(match["reason"])}</p>' if match["reason"] else ""
    deals = _deals_html(source, match)
    return f'<article class="match">{head}<table class="sides">{rows}</table>{reason}{deals}</article>'


def _side_row_html(source: PageSource, match: Json, side: Json, *, won: bool) -> str:
    marked = ' class="won"' if won else ""
    worth, score = _match_points(source, side["points"]), _score_html(source, match, side)
    names = source.entries_html(entries_of(side))
    return f'<tr{marked}><th scope="row">{names}</th><td class="t">{worth}</td><td class="s">{score}</td></tr>'


def _match_points(source: PageSource, points: int) -> str:
    """Return a match's match points as text; "" if boards are compared instead."""
    duplicate = source.document["event"]["duplicate"]
    if duplicate is not None and duplicate["scoring"] != "imp_vp":
        return ""
    return source.points_text(points)


def _score_html(source: PageSource, match: Json, side: Json) -> str:
    met = match["kind"] in ("played", "adjusted") and match["deals"]
    return number_text(source.words, side["score"]) if met else ""


def _deals_html(source: PageSource, match: Json) -> str:
    """Return the deals of a match as HTML.

    For a match of teams it is the boards, whose results are listed below.
    """
    deals = "".join(_deal_html(source, match, deal) for deal in match["deals"])
    if deals or "boards" not in match:
        return deals
    return "".join(
        foldable_block(
            escape_html(source.words("event_page.board", board=board)), source.replays[match["id"], board], kind="deal"
        )
        for board in match["boards"]
        if (match["id"], board) in source.replays
    )


def _deal_html(source: PageSource, match: Json, deal: Json) -> str:
    words = source.words
    label = "event_page.board" if source.document["boards"] else "event_page.deal"
    heading = escape_html(words(label, board=deal["number"], deal=deal["number"]))
    title = f"{heading} <b>{_scores_html(source, deal['scores'])}</b>"
    if deal["void"]:
        title += f' <span class="badge">{escape_html(words("event_result.void"))}</span>'
    if "as_played" in deal:
        as_played = words("event_page.as_played", scores=_scores_html(source, deal["as_played"]))
        title += f" <small>{escape_html(as_played)}</small>"
    replay = source.replays.get((match["id"], deal["number"]))
    return f'<p class="deal">{title}</p>' if replay is None else foldable_block(title, replay, kind="deal")


def _scores_html(source: PageSource, scores: Sequence[int]) -> str:
    return " : ".join(number_text(source.words, one) for one in scores)


def _unpaired_row_html(source: PageSource, unpaired: Json) -> str:
    text = source.words(f"event_out.{unpaired['code']}", points=source.points_text(unpaired["points"]))
    return f"<li>{source.entry_html(unpaired['entry'])}: {text}</li>"


# --- boards ----------------------------------------------------------------------------------------------------------


def boards_section(source: PageSource) -> str:
    """Return the section on boards with the results of all tables.

    Of a sealed board it says only that it is sealed.
    """
    shown = [_board_html(source, one) for one in source.document["boards"]]
    return section_html("boards", source.words("event_page.boards"), *shown)


def _board_html(source: PageSource, board: Json) -> str:
    words = source.words
    title = words("event_page.board_of", board=board["number"], minimum=board["minimum"], seat=board["dealer"] + 1)
    if board["seed"] is None:
        return f"<h3>{escape_html(title)}</h3><p>{escape_html(words('event_page.sealed'))}</p>"
    columns = ("ns", "ew", "result", "mp", "imp")
    head = "".join(f'<th scope="col">{escape_html(words(f"event_column.{one}"))}</th>' for one in columns)
    ordered = sorted(board["results"], key=_north_south_net_score, reverse=True)
    rows = "".join(_result_html(source, one) for one in ordered)
    table = f'<table class="board"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<h3 id="b{board["number"]}">{escape_html(title)}</h3><div class="wide">{table}</div>'


def _north_south_net_score(result: Json) -> float:
    scores = result["scores"]
    return float("-inf") if scores is None else float(scores[0] - scores[1])


def _result_html(source: PageSource, result: Json) -> str:
    words = source.words
    if result["adjusted"] is not None:
        made = " / ".join(f"{share} %" for share in result["adjusted"])
    else:
        made = "–" if result["scores"] is None else number_text(words, result["scores"][0] - result["scores"][1])
    figures = [None if result[one] is None else result[one][0] for one in ("mp", "ximp")]
    cells = [f"<td>{'–' if one is None else number_text(words, one, places=2)}</td>" for one in figures]
    sides = (
        f'<th scope="row">{source.entry_html(result["ns"])}</th><td class="n">{source.entry_html(result["ew"])}</td>'
    )
    return f"<tr>{sides}<td><b>{made}</b></td>{''.join(cells)}</tr>"
