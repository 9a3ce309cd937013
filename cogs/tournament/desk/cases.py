"""The desk's pages of cases and deal records, and the controls of these, the log and the lists."""

from __future__ import annotations

from typing import Final

from bot.tables.past.history import DealRecord
from bot.tables.state.snapshots import Caller
from bot.tournaments.desk.ruling_preview import (
    ProposedRuling,
    ProposedRulingKind,
    impartial_directors,
    require_may_see_open_hands,
)
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Case, Tournament
from bot.tournaments.event.tournament_changes import find_match, persons_of
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    LONGEST_OPTION,
    LONGEST_TEXT,
    PRIMARY,
    Form,
    Option,
    Page,
    button_row,
    fit_text,
    select,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.serving.context import Context
from cogs.shared.telling import names, score_text
from cogs.shared.telling.explanations import explain_problem
from cogs.tournament import wording
from cogs.tournament.control_ids import link_of
from cogs.tournament.desk.base import Chosen, Desk, parse_number, single_value
from cogs.tournament.desk.desk_view import DeskView, titled_page
from cogs.tournament.desk.forms import FormLine, lines_form
from cogs.tournament.desk.log import log_page, unusual_figures_page
from cogs.tournament.desk.rounds import undo_page

ROOM: Final = LONGEST_TEXT - 1500


def cases_page(view: DeskView) -> Page:
    """Return the page that lists the cases, open ones first.

    Directors who play in the tournament see only who handles them.
    """
    words, tournament = view.words, view.tournament
    cases = sorted(tournament.cases, key=lambda one: (one.answered_by is not None, -one.number))
    opened = sum(1 for one in cases if one.answered_by is None)
    lines = [words("desk.cases", count=opened)]
    if not view.may_see_secrets:
        those = impartial_directors(tournament)
        named = ", ".join(wording.person_name(words, tournament, one) for one in those) or words("desk.a_moderator")
        return titled_page(
            view,
            words("desk.problems_title"),
            [*lines, words("desk.cases_go_to", names=named)],
            button_row(view.back_button()),
        )
    options = [
        Option(
            str(one.number),
            fit_text(_case_title(view, one), LONGEST_OPTION, may_be_cut=True),
            words("desk_case.open" if one.answered_by is None else "desk_case.answered"),
        )
        for one in cases[:MOST_OPTIONS]
    ]
    menu = select(view.control("desk_pick_case"), words("desk.which_case"), options)
    return titled_page(view, words("desk.problems_title"), lines, menu, button_row(view.back_button()))


def _case_title(view: DeskView, case: Case) -> str:
    match = view.tournament.match(case.match)
    return view.words("desk.case", case=case.number, table=view.match_label(match))


def case_page(view: DeskView, case: Case) -> Page:
    """Return the page of a case: who asked, about which deal, and the answer or a button to give it."""
    words, tournament = view.words, view.tournament
    match = tournament.match(case.match)
    lines = [
        words("desk.case_by", name=wording.person_name(words, tournament, case.by), when=wording.date_and_time(case.at))
    ]
    if case.deal is not None:
        lines.append(words("desk.case_deal", deal=case.deal))
    if case.text:
        lines.append(f"> {names.escape_name(case.text, longest=1000)}")
    if case.answered_by is not None:
        by = wording.person_name(words, tournament, case.answered_by)
        lines.append(words("desk.case_answer", name=by, answer=names.escape_name(case.answer, longest=1000)))
    own = view.viewer in persons_of(tournament, match)
    row = button_row(
        view.button("desk_answer", case.number, style=PRIMARY, enabled=case.answered_by is None and not own),
        view.button("desk_record", match.id, case.deal or 0, enabled=bool(match.tables)),
        view.button("desk_of_match", match.id),
        view.back_button("desk_problems"),
    )
    return titled_page(view, f"**{_case_title(view, case)}**", lines, row)


def answer_form(view: DeskView, case: int) -> Form:
    """Return the form for the ruling on a case, which all players of the match will read."""
    line = FormLine(
        "answer", view.words("desk_form.answer"), view.words("desk_form.answer_hint"), longest=1000, long=True
    )
    return lines_form(view.control("desk_answered", case), view.words("desk_button.answer"), [line])


def record_page(view: DeskView, match: MatchState, record: DealRecord, part: int) -> Page:
    """Return the page with a deal's record turn by turn; for a finished deal also the hands as dealt."""
    words, log = view.words, record.log
    hands = [] if not record.frames else _hand_lines(view, record)
    pages = score_text.split_into_pages(
        score_text.log_lines(words, log) or [words("past.nothing_yet")], room=ROOM - len("\n".join(hands))
    )
    shown = max(0, min(part, len(pages) - 1))
    note = [] if record.frames else [words("desk.hands_later")]
    ways = [
        view.button("desk_record", match.id, log.deal, max(0, to), label=label, enabled=0 <= to < len(pages))
        for to, label in ((shown - 1, "◀"), (shown + 1, "▶"))
        if len(pages) > 1
    ]
    options = [
        Option(str(one), words("past.deal", deal=one), chosen=one == log.deal) for one in log.deals[-MOST_OPTIONS:]
    ]
    menu = select(view.control("desk_deal", match.id), words("past.which_deal"), options) if len(options) > 1 else None
    title = f"**{view.match_label(match)}** · {words('past.deal', deal=log.deal)}"
    return titled_page(
        view,
        title,
        [*hands, *note, *pages[shown]],
        menu,
        button_row(*ways, view.back_button("desk_of_match", match.id)),
    )


def _hand_lines(view: DeskView, record: DealRecord) -> list[str]:
    """Return a line for every hand as it was dealt."""
    dealt, log = record.frames[0], record.log
    lines = []
    for seat, hand in enumerate(dealt.hands):
        if hand:
            name = names.seat_name_at(view.words, log.snapshot, seat, deal=log.deal, turn=0)
            lines.append(view.words("desk.hand", name=name, cards=card_text.cards_label(hand)))
    return lines


class CaseControls(Desk):
    """Handlers of the controls on the pages of cases, deal records, the log and the lists."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        handlers = {
            "desk_problems": self.show_cases,
            "desk_pick_case": self.show_picked_case,
            "desk_case": self.show_case,
            "desk_answer": self.open_answer_form,
            "desk_answered": self.answer_director_call,
            "desk_record": self.show_record,
            "desk_deal": self.show_picked_deal,
            "desk_log": self.show_log,
            "desk_undo": self.preview_undo,
            "desk_undone": self.undo_ruling,
            "desk_lists": self.show_unusual_figures,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- cases

    async def show_cases(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the page that lists all cases."""
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, cases_page(view))

    async def show_picked_case(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, case_page(view, _find_case(view, parse_number(single_value(values)))))

    async def show_case(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show a case; the button is in the message that announced it to the directors."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await self.show_page(interaction, case_page(view, _find_case(view, link.argument_number())))

    async def open_answer_form(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await interactions.show_form(interaction, answer_form(view, _find_case(view, link.argument_number()).number))

    async def answer_director_call(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, text = link_of(control), single_value(values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.answer_director_call(
                caller, link.tournament, link.argument_number(), text=text
            )

        async def build_page(view: DeskView) -> Page:
            return case_page(view, _find_case(view, link.argument_number()))

        await self.act_and_show(interaction, link, change_tournament, build_page, "answered")

    # --- deals

    async def show_record(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the record of a match's deal, by default the latest."""
        link = link_of(control)
        deal = link.argument_number(1) if len(link.rest) > 1 else 0
        part = link.argument_number(2) if len(link.rest) > 2 else 0
        await self._show_record(interaction, link.tournament, link.argument_number(), deal=deal, part=part)

    async def show_picked_deal(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        await self._show_record(
            interaction, link.tournament, link.argument_number(), deal=parse_number(single_value(values)), part=0
        )

    async def _show_record(
        self, interaction: Interaction, tournament: int, match: int, *, deal: int, part: int
    ) -> None:
        view = await self.load_view(interaction, tournament)
        caller = interactions.caller_of(interaction)
        record = await self.tournaments.desk_views.deal_record(caller, tournament, match, deal=deal or None)
        page = record_page(view, find_match(view.tournament, match), record, part)
        await self.show_page(interaction, page)

    # --- the log

    async def show_log(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show a part of the log, by default the latest."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await self.show_page(
            interaction, await self._load_log_page(interaction, view, link.argument_number() if link.rest else 0)
        )

    async def _load_log_page(self, interaction: Interaction, view: DeskView, first: int) -> Page:
        log = await self.tournaments.desk_views.director_log(interactions.caller_of(interaction), view.tournament.id)
        return log_page(view, log, first)

    async def preview_undo(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Show what undoing a ruling would change, before it is undone."""
        link, ruling = link_of(control), parse_number(single_value(values))
        view = await self.load_view(interaction, link.tournament)
        caller = interactions.caller_of(interaction)
        try:
            preview = await self.tournaments.desk_views.preview(
                caller, link.tournament, ProposedRuling(does=ProposedRulingKind.UNDO, ruling=ruling)
            )
        except TournamentRefusal as refusal:
            view = await self.load_view(interaction, link.tournament, explain_problem(view.words, refusal))
            await self.show_page(interaction, await self._load_log_page(interaction, view, 0))
            return
        made = next(one for one in view.tournament.rulings if one.number == ruling)
        await self.show_page(interaction, undo_page(view, made, preview))

    async def undo_ruling(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.undo_ruling(
                caller, link.tournament, ruling=link.argument_number(), expected_version=link.version
            )

        async def build_page(view: DeskView) -> Page:
            return await self._load_log_page(interaction, view, 0)

        await self.act_and_show(interaction, link, change_tournament, build_page, "undone")

    # --- lists of unusual figures

    async def show_unusual_figures(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the lists of players or matches with unusual figures, next to the averages."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        found = await self.tournaments.desk_views.unusual_play_lists(
            interactions.caller_of(interaction), link.tournament
        )
        await self.show_page(interaction, unusual_figures_page(view, found))


def _find_case(view: DeskView, case_number: int) -> Case:
    """Return the case with that number, if the director may see it. Refusals: plays, no_case."""
    require_may_see_open_hands(view.tournament, view.viewer)
    found = next((one for one in view.tournament.cases if one.number == case_number), None)
    if found is None:
        raise TournamentRefusal(TournamentCode.NO_CASE, {"case": case_number})
    return found
