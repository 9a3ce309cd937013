"""Pages about duplicate boards: a table's own result at first, and all tables' results once revealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from bot.i18n import Words
from bot.tables.state.shuffle import digest_of_contributions
from bot.tournaments.boards.board import Board, BoardResult
from bot.tournaments.boards.scoring import ScoredBoard, score_board
from bot.tournaments.boards.teams import board_imps
from bot.tournaments.event.boards import count_tables_done, persons_in_room
from bot.tournaments.event.match_state import BoardPlayed, MatchState
from bot.tournaments.event.teams import scores_that_count
from bot.tournaments.event.tournament import BoardStage, Tournament
from bot.tournaments.export.boards import boards_to_compare
from bot.tournaments.table_sync import shuffle_contributions_of_entries
from cogs.shared.discord_api.components import Option, Page, Part, button, button_row, page, select, small_text, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing import finished_games
from cogs.shared.telling.numbers import number_with_sign
from cogs.tournament import wording
from cogs.tournament.control_ids import control
from cogs.tournament.page.replays import verify_command

MOST_LETTERS = 3_500
"""Most characters for the list of a board's tables."""


def own_result_page(words: Words, tournament: Tournament, match: MatchState, result: BoardPlayed) -> Page:
    """Return the page with a table's own result on a board.

    Of the other tables it gives only how many have finished.
    """
    north = [one for one in persons_in_room(match, result.room)[::2] if one is not None]
    state = next(one for one in tournament.boards if one.number == result.board)
    done, every = count_tables_done(tournament, result.board)
    key = "own_open" if state.stage is BoardStage.OPEN else "own"
    scores = scores_that_count(tournament, match, result)
    net = number_with_sign(words, scores[0] - scores[1])
    names = wording.person_names(words, tournament, north)
    return page([text(words(f"boards.{key}", board=result.board, names=names, net=net, done=done, tables=every))])


def revealed_board_line(words: Words, tournament: Tournament, board_number: int) -> str:
    """Return a line with all tables' scores on a revealed board, as North–South's score, best first."""
    board = _find_board(tournament, board_number)
    nets = sorted((one.net for one in board.results if one.net is not None), reverse=True)
    given = [_adjusted_text(one) for one in board.results if one.adjusted is not None]
    made = ", ".join([*(number_with_sign(words, one) for one in nets), *given])
    return words("boards.open", board=board_number, made=made)


def revealed_board_buttons(words: Words, tournament: Tournament, board_number: int) -> Part | None:
    """Return the buttons from a revealed board to its comparison and its seed."""
    return button_row(
        button(control(tournament.id, "t_compare", board_number), words("boards.compare")),
        button(control(tournament.id, "t_shuffle", board_number), words("boards.check")),
    )


def board_comparison_page(words: Words, tournament: Tournament, board_number: int) -> Page:
    """Return the page of a revealed board with seats, scores and points of every table."""
    board = _find_board(tournament, board_number)
    teams = tournament.plan.is_for_teams
    scored = None if teams else score_board(board, unit=tournament.plan.scoring.swing_unit)
    lines = [
        _table_line(words, tournament, one) + _points_text(words, scored, place)
        for place, one in enumerate(board.results)
    ]
    if scored is not None and scored.tables is None:
        lines.append(words("boards.unplayed"))
    if teams:
        lines += _team_lines(words, tournament, board)
    title = words("boards.compared", board=board_number, minimum=board.minimum, seat=board.dealer + 1)
    shown = lines[: wording.count_fitting_lines(lines, MOST_LETTERS)]
    menu = select(
        ControlId(0, 0, finished_games.CHOSEN), words("boards.which"), _table_options(words, tournament, board_number)
    )
    return page([text("\n".join([title, *shown])), *([] if menu is None else [menu])])


def board_shuffle_page(words: Words, tournament: Tournament, board_number: int, seed: str) -> Page:
    """Return the page that explains how to check the shuffle of a revealed board."""
    rules = tournament.plan.rules
    commitment = next(one.commitment for one in tournament.boards if one.number == board_number)
    line = verify_command(
        event=tournament.id,
        board=board_number,
        commitment=commitment,
        seed=seed,
        client=digest_of_contributions(shuffle_contributions_of_entries(tournament)),
        decks=rules.decks,
        jokers_per_deck=rules.jokers_per_deck,
    )
    lines = [words("boards.shuffle", board=board_number, commitment=commitment, seed=seed), f"```\n{line}\n```"]
    note = small_text(words("boards.shuffle_note"))
    return page([text("\n".join(lines)), *([] if note is None else [note])])


def _find_board(tournament: Tournament, board_number: int) -> Board:
    return next(one for one in boards_to_compare(tournament) if one.number == board_number)


def _adjusted_text(result: BoardResult) -> str:
    return "–" if result.adjusted is None else f"{result.adjusted[0]}–{result.adjusted[1]}"


def _table_line(words: Words, tournament: Tournament, result: BoardResult) -> str:
    """Return a line with the seats and the result of a table."""
    values = {
        "table": result.table,
        "north": wording.entry_name(words, tournament, result.ns),
        "east": wording.entry_name(words, tournament, result.ew),
    }
    if result.net is None or result.scores is None:
        return words("boards.given", **values, share=_adjusted_text(result))
    scores = ":".join(str(one) for one in result.scores)
    return words("boards.table", **values, scores=scores, net=number_with_sign(words, result.net))


def _points_text(words: Words, scored: ScoredBoard | None, place: int) -> str:
    """Return text with the matchpoints and IMPs of both sides of a table."""
    if scored is None or scored.tables is None:
        return ""
    found = scored.tables[place]
    points, imps = ([_figure_text(one) for one in figures] for figures in (found.mp, found.ximp))
    return words("boards.worth", points=points[0], theirs=points[1], most=scored.most, imps=imps[0], their_imps=imps[1])


def _figure_text(value: Fraction) -> str:
    return (str(value) if value.denominator == 1 else f"{float(value):.2f}").replace("-", "−")


def _team_lines(words: Words, tournament: Tournament, board: Board) -> Iterator[str]:
    """Yield a line with the IMPs of every team match on that board."""
    rooms: dict[frozenset[int], list[BoardResult]] = {}
    for one in board.results:
        rooms.setdefault(frozenset((one.ns, one.ew)), []).append(one)
    for found in rooms.values():
        if len(found) == 2:
            imps = board_imps(found[0], found[1], unit=tournament.plan.scoring.swing_unit)
            names = wording.entry_name(words, tournament, found[0].ns)
            if imps is None:
                yield words("boards.out", names=names, others=wording.entry_name(words, tournament, found[0].ew))
            else:
                yield words("boards.imps", names=names, imps=number_with_sign(words, imps))


def _table_options(words: Words, tournament: Tournament, board_number: int) -> Sequence[Option]:
    """Return the tables that played the board, as menu options."""
    found = []
    for match in tournament.matches:
        for one in match.tables:
            played = any((made.board, made.room) == (board_number, one.room) for made in match.played)
            if one.board == board_number and played and not match.voided:
                label = words("boards.choice", table=match.table, room=one.room)
                sides = " – ".join(
                    " & ".join(
                        _player_name(words, tournament, person) for person in persons_in_room(match, one.room)[side::2]
                    )
                    for side in (0, 1)
                )
                found.append(Option(str(one.table), wording.plain_text(f"{label}: {sides}", longest=100)))
    return found


def _player_name(words: Words, tournament: Tournament, person: int | None) -> str:
    return words("seat.former") if person is None or person < 0 else tournament.names.get(person, str(person))
