"""Messages of a round: the check-in before the first, the pairing list, and the call of each match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Words
from bot.tournaments.course import Played, Unpaired
from bot.tournaments.event.contests import MatchState, RoundStage, RoundState
from bot.tournaments.event.course_of import counted
from bot.tournaments.event.duplicate_boards import people_in, rooms_of
from bot.tournaments.event.event_steps import persons_of
from bot.tournaments.event.values import Stage, Tournament
from cogs.shared.door.components import PRIMARY, SUCCESS, Page, button, buttons, page, text
from cogs.tournament import wording
from cogs.tournament.links import control

MOST_LETTERS = 3_000
"""Letters that the tables of a pairing list take."""


def check_in_page(words: Words, tournament: Tournament, called: Sequence[int]) -> Page:
    """The call to check in, while that is open with its button."""
    plan = tournament.plan
    until = wording.clock_time(tournament, plan.starts_at - plan.check_in_until)
    if tournament.stage is not Stage.CHECK_IN:
        return page([text(words("tournament.check_in_over"))])
    lines = [words("tournament.check_in_open", until=until), " ".join(wording.mention(one) for one in called)]
    here = button(control(tournament.id, "t_here"), words("tournament.here"), style=SUCCESS)
    row = buttons(here)
    parts = [text("\n".join(lines)), *([] if row is None else [row])]
    return page(parts, mentions=[one for one in called if one > 0])


def pairing_page(words: Words, tournament: Tournament, turn: RoundState) -> Page:
    """Who meets whom in a round; it notifies nobody."""
    matches = tournament.matches_of(turn.number)
    lines = [words("tournament.round_title", name=wording.named(tournament), round=turn.number)]
    if turn.stage is RoundStage.DRAWN:
        lines.append(words("tournament.round_at", when=wording.clock_time(tournament, turn.call_at)))
    paired = [words("tournament.pairing", table=one.table, sides=_sides(words, tournament, one)) for one in matches]
    count = wording.fitting(paired, MOST_LETTERS)
    lines += paired[:count]
    if count < len(matches):
        lines.append(words("tournament.more_tables", count=len(matches) - count))
    for code in Unpaired:
        those = [one.entry for one in turn.away if one.code is code]
        if those:
            lines.append(words(f"tournament_away.{code.value}", names=wording.entries(words, tournament, those)))
    return page([text("\n".join(lines))])


def _sides(words: Words, tournament: Tournament, match: MatchState) -> str:
    rooms = (match.place_in(room) for room in rooms_of(match))
    where = "".join(f" · <#{one}>" for one in rooms if one not in (None, tournament.channel))
    return wording.sides(words, tournament, match) + where


def call_page(words: Words, tournament: Tournament, match: MatchState, *, room: int = 1) -> Page:
    """The call of a match to the players of a room, with the ways to their cards and to a director while it goes on."""
    values = {"round": match.round, "table": match.table}
    if match.result is not None:
        told = result_line(words, tournament, match)
        return page(
            [text(words("tournament.match_over", sides=wording.sides(words, tournament, match), **values, told=told))]
        )
    sides = " – ".join(
        " & ".join(wording.mention(one) for one in side) for side in _persons_by_side(tournament, match, room)
    )
    until = wording.clock_time(tournament, match.due or 0)
    plan = tournament.plan
    if match.boards:
        length = words("tournament.boards", count=len(match.boards))
    elif plan.deals is None:
        length = words("tournament.target", target=plan.rules.target)
    else:
        length = words("tournament.deals", count=plan.deals)
    lines = [words("tournament.call", **values, sides=sides, length=length, until=until)]
    if not plan.live and plan.settings.clock is not None:
        clock = plan.settings.clock
        lines.append(
            words(
                "tournament.call_clock", bank=wording.span(words, clock.bank), more=wording.span(words, clock.increment)
            )
        )
    row = buttons(
        button(control(tournament.id, "t_hand", match.id), words("tournament.my_hand"), style=PRIMARY),
        button(control(tournament.id, "t_why", match.id), words("tournament.why")),
        button(control(tournament.id, "t_problem", match.id), words("tournament.problem")),
    )
    seated = [one for one in people_in(match, room) if one is not None]
    persons = [one for one in seated or persons_of(tournament, match) if one > 0]
    return page([text("\n".join(lines)), *([] if row is None else [row])], mentions=persons)


def _persons_by_side(tournament: Tournament, match: MatchState, room: int) -> list[list[int]]:
    """Who plays for each side in a room: those in its seats, else those of its entries."""
    seats = people_in(match, room)
    if len(seats) != tournament.plan.players:
        return [[person for one in side for person in tournament.entrant(one).people] for side in match.sides]
    count = len(match.sides)
    return [
        [one for seat, one in enumerate(seats) if one is not None and seat % count == number] for number in range(count)
    ]


def result_line(words: Words, tournament: Tournament, match: MatchState) -> str:
    """What a match that is over has come to; nothing of boards that are sealed."""
    found = counted(tournament, match)
    if found.kind in (Played.VOID, Played.FORFEIT, Played.DOUBLE_FORFEIT):
        return words(f"tournament_result.{found.kind.value}")
    if match.boards and not found.deals:
        return words("tournament_result.sealed")
    if found.set_by_director:
        return ":".join(str(one.points) for one in found.sides)
    return scores_line([one.score for one in found.sides])


def scores_line(scores: Sequence[int]) -> str:
    """Scores beside each other: ``560:−25``."""
    return ":".join(str(one).replace("-", "\N{MINUS SIGN}") for one in scores)
