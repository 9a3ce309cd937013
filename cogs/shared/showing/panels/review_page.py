"""The review of a finished deal, with a page for each bad step.

Those are steps that an expert player would have done much better.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from discord import ui

from bot.computer.reviews import DealReview, Finding
from bot.engine.moves.actions import Discard
from bot.i18n import Words
from bot.tables.state.clocks import ReplayFrom
from bot.tables.state.snapshots import SeatSnapshot, Status, TableSnapshot
from cogs.shared.discord_api.components import GREY, Page, Picture, button, button_row, container, gallery, page, text
from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.meld_draft import NOTHING
from cogs.shared.showing.panels.hint_page import reason_text, step_in_words

REVIEW: Final = "review"
"""Action that shows a page of the review; its argument is the deal and the page's number from 0: ``2.0``."""


def has_review(snapshot: TableSnapshot, seat: int) -> bool:
    """Return whether the seat's player may review the last deal.

    All others in it must have been computer players. Reviews show cards, so at a table whose cards are shown only after
    the game they wait for its end. A tournament's table has none.
    """
    view = snapshot.view
    if view is None or not view.results or snapshot.contest is not None:
        return False
    if snapshot.settings.replay is ReplayFrom.GAME and snapshot.status is Status.PLAYING:
        return False
    own, *others = (snapshot.holder_at(one, view.results[-1].deal) for one in _seats_with_own_first(snapshot, seat))
    person = snapshot.seats[seat].person
    alone = all(holder.kind == "computer" and holder.kept_for is None for holder in others)
    return person is not None and own.person == person and alone


def _seats_with_own_first(snapshot: TableSnapshot, seat: int) -> list[int]:
    return [seat, *(other for other in range(len(snapshot.seats)) if other != seat)]


def review_button(words: Words, snapshot: TableSnapshot, seat: int) -> list[ui.Button[Any]]:
    """Return the button *Review* for the last deal, if the player may review it."""
    view = snapshot.view
    if view is None or not has_review(snapshot, seat):
        return []
    return [button(_review_control(snapshot, view.results[-1].deal, 0), words("review.button"))]


def seat_before_step(review: DealReview, finding: Finding) -> SeatSnapshot:
    """Return the seat as its player saw it before the step."""
    then = replace(review.snapshot.with_holders_at_end_of(review.deal), view=finding.view.table)
    return SeatSnapshot(then, review.seat, finding.view, finding.view.fresh if finding.view.must_act else ())


def review_page(
    words: Words, review: DealReview, page_number: int, *, picture: Picture | None = None, description: str = ""
) -> Page:
    """Return a page of the review; without a picture, `description` describes the hand and the table."""
    snapshot, count = review.snapshot, len(review.findings)
    done = button(ControlId(snapshot.id, snapshot.version, "refresh"), words("review.done"))
    title = words("review.title", deal=review.deal)
    if not count:
        parts = [text(f"{title}\n{words('review.none')}"), button_row(done)]
        return replace(page([container(*parts, edge=GREY)]), shown=_panel_state(snapshot))
    turned = [
        button(
            _review_control(snapshot, review.deal, page_number + way),
            words(key),
            enabled=0 <= page_number + way < count,
        )
        for way, key in ((-1, "review.back"), (1, "review.next"))
    ]
    finding = review.findings[page_number]
    place = words("review.place", page=page_number + 1, pages=count)
    parts = [
        text("\n".join([title, f"-# {place}", *_finding_lines(words, seat_before_step(review, finding), finding)])),
        gallery(picture),
        text(description) if description and picture is None else None,
        button_row(*turned, done),
    ]
    pictures = () if picture is None else (picture,)
    return replace(page([container(*parts, edge=GREY)], pictures), shown=_panel_state(snapshot))


def _finding_lines(words: Words, then: SeatSnapshot, finding: Finding) -> list[str]:
    """Return what the player did, what would have been better, and why."""
    taken, better = finding.taken, finding.better
    message = step_in_words(words, then, finding.view, taken.step)
    done = words("review.chose", step=message)
    instead = step_in_words(words, then, finding.view, better.step)
    if isinstance(taken.step, Discard):
        done = words("review.discarded", card=card_text.rank_label(taken.step.kind))
        if isinstance(better.step, Discard):
            instead = card_text.rank_label(better.step.kind)
    line = words("review.line", turn=finding.turn + 1, done=done, better=instead, behind=round(taken.behind))
    return [line, words("hint.why", reason=reason_text(words, then, taken.reason, taken.numbers))]


def _review_control(snapshot: TableSnapshot, deal: int, page_number: int) -> ControlId:
    return ControlId(snapshot.id, snapshot.version, REVIEW, f"{deal}.{max(0, page_number)}")


def _panel_state(snapshot: TableSnapshot) -> PanelState:
    """Return the state of a page that the next event replaces by the panel."""
    return PanelState(snapshot.id, snapshot.version, NOTHING, waits=True)
