"""The desk's pages of cases, and of a deal as its directors may look at it."""

from __future__ import annotations

from typing import Final

from bot.tables.past.past_looks import DealRecord
from bot.tournaments.desk.who import impartial
from bot.tournaments.event.contests import MatchState
from bot.tournaments.event.event_steps import persons_of
from bot.tournaments.event.values import Case
from cogs.shared.door.components import LONGEST_TEXT, PRIMARY, Form, Option, Page, buttons, select
from cogs.shared.reading import card_text
from cogs.shared.reading.discord_limits import MOST_OPTIONS
from cogs.shared.telling import log_text, names
from cogs.tournament import wording
from cogs.tournament.desk.desk_forms import Line, lines_form
from cogs.tournament.desk.look import DeskView, framed

ROOM: Final = LONGEST_TEXT - 1500


def problems_page(look: DeskView) -> Page:
    """The cases, open ones first; who plays is told who looks at them."""
    words, tournament = look.words, look.tournament
    cases = sorted(tournament.cases, key=lambda one: (one.answered_by is not None, -one.number))
    opened = sum(1 for one in cases if one.answered_by is None)
    lines = [words("desk.cases", count=opened)]
    if not look.sees:
        those = impartial(tournament)
        named = ", ".join(wording.person(words, tournament, one) for one in those) or words("desk.a_moderator")
        return framed(
            look, words("desk.problems_title"), [*lines, words("desk.cases_go_to", names=named)], buttons(look.back())
        )
    options = [
        Option(
            str(one.number),
            _title(look, one),
            words("desk_case.open" if one.answered_by is None else "desk_case.answered"),
        )
        for one in cases[:MOST_OPTIONS]
    ]
    menu = select(look.control("desk_pick_case"), words("desk.which_case"), options)
    return framed(look, words("desk.problems_title"), lines, menu, buttons(look.back()))


def _title(look: DeskView, case: Case) -> str:
    match = look.tournament.match(case.match)
    return look.words("desk.case", case=case.number, table=look.table(match))


def case_page(look: DeskView, case: Case) -> Page:
    """A case: who asked what of which deal, and the answer or the way to it."""
    words, tournament = look.words, look.tournament
    match = tournament.match(case.match)
    lines = [words("desk.case_by", name=wording.person(words, tournament, case.by), when=wording.at(case.at))]
    if case.deal is not None:
        lines.append(words("desk.case_deal", deal=case.deal))
    if case.text:
        lines.append(f"> {names.shown(case.text, longest=1000)}")
    if case.answered_by is not None:
        by = wording.person(words, tournament, case.answered_by)
        lines.append(words("desk.case_answer", name=by, answer=names.shown(case.answer, longest=1000)))
    own = look.viewer in persons_of(tournament, match)
    row = buttons(
        look.button("desk_answer", case.number, style=PRIMARY, enabled=case.answered_by is None and not own),
        look.button("desk_record", match.id, case.deal or 0, enabled=bool(match.tables)),
        look.button("desk_of_match", match.id),
        look.back("desk_problems"),
    )
    return framed(look, f"**{_title(look, case)}**", lines, row)


def answer_form(look: DeskView, case: int) -> Form:
    """The ruling on a case, for all who play in the match."""
    line = Line("answer", look.words("desk_form.answer"), look.words("desk_form.answer_hint"), longest=1000, long=True)
    return lines_form(look.control("desk_answered", case), look.words("desk_button.answer"), [line])


def record_page(look: DeskView, match: MatchState, record: DealRecord, part: int) -> Page:
    """A deal turn by turn; once it is finished with the hands as they were dealt."""
    words, log = look.words, record.log
    hands = [] if not record.frames else _hands(look, record)
    pages = log_text.parts(log_text.lines(words, log) or [words("past.nothing_yet")], room=ROOM - len("\n".join(hands)))
    shown = max(0, min(part, len(pages) - 1))
    note = [] if record.frames else [words("desk.hands_later")]
    ways = [
        look.button("desk_record", match.id, log.deal, max(0, to), label=label, enabled=0 <= to < len(pages))
        for to, label in ((shown - 1, "◀"), (shown + 1, "▶"))
        if len(pages) > 1
    ]
    options = [
        Option(str(one), words("past.deal", deal=one), chosen=one == log.deal) for one in log.deals[-MOST_OPTIONS:]
    ]
    menu = select(look.control("desk_deal", match.id), words("past.which_deal"), options) if len(options) > 1 else None
    title = f"**{look.table(match)}** · {words('past.deal', deal=log.deal)}"
    return framed(
        look, title, [*hands, *note, *pages[shown]], menu, buttons(*ways, look.back("desk_of_match", match.id))
    )


def _hands(look: DeskView, record: DealRecord) -> list[str]:
    """Every hand as it was dealt."""
    dealt, log = record.frames[0], record.log
    lines = []
    for seat, hand in enumerate(dealt.hands):
        if hand:
            name = names.of_seat_at(look.words, log.look, seat, deal=log.deal, turn=0)
            lines.append(look.words("desk.hand", name=name, cards=card_text.cards(hand)))
    return lines
