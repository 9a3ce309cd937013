"""Consent: what the board says while the persons at a table are asked something, their buttons, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from discord import ui

from bot.clocks.clock import HOUR
from bot.clocks.law import ClockTerms
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.consent.proposal import Proposal, ProposalKind
from bot.tables.looks import TableSnapshot
from cogs.shared.door.components import DANGER, PRIMARY, Page, Part, button, buttons, page, text
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.paused import paused_text
from cogs.shared.telling import conclusions, names
from cogs.shared.telling.numbers import grouped
from cogs.shared.telling.time_lines import ABSOLUTE, instant


def question_text(words: Words, look: TableSnapshot) -> str:
    """Who proposes what, until when it has to be agreed to and who has not answered; empty where nobody asks."""
    if look.proposal is None:
        return ""
    waits = look.awaited
    waited = words("consent.waits", names=_names(words, look, waits), count=len(waits))
    return f"{asked_line(words, look, look.proposal)}\n{waited}"


def asked_line(words: Words, look: TableSnapshot, proposal: Proposal) -> str:
    """Who proposes what, and until when it has to be agreed to."""
    return f"{proposed(words, look, proposal)} {_until(words, look, proposal)}"


def proposed(words: Words, look: TableSnapshot, proposal: Proposal) -> str:
    """Who proposes what, in a sentence."""
    seat = look.seat_of(proposal.by)
    name = "?" if seat is None else names.of_seat(words, look, seat)
    match proposal.kind:
        case ProposalKind.END:
            return _ending(words, look, name)
        case ProposalKind.PAUSE:
            return words("proposed.pause", name=name, days=proposal.days)
        case ProposalKind.SLOWER_CLOCK if proposal.clock is not None:
            return words("proposed.slower_clock", name=name, clock=clock_text(words, proposal.clock))
    return words(f"proposed.{proposal.kind.value}", name=name)


def clock_text(words: Words, clock: ClockTerms) -> str:
    """A slow clock: what a bank begins with, what each turn adds, and the most it holds, in hours."""
    hours = {"bank": clock.bank // HOUR, "increment": clock.increment // HOUR, "most": clock.cap // HOUR}
    return words("consent.clock", **hours)


def question_buttons(words: Words, look: TableSnapshot) -> tuple[ui.Button[Any], ...]:
    """*Agree* and *Play on*, which answer just this question; none where nobody asks."""
    proposal = look.proposal
    if proposal is None:
        return ()
    return (
        button(ControlId(look.id, look.version, "close_yes", str(proposal.at)), words("consent.agree"), style=DANGER),
        button(ControlId(look.id, look.version, "close_no", str(proposal.at)), words("consent.play_on")),
    )


def outcome_text(words: Words, look: TableSnapshot, kind: ProposalKind, key: str) -> str:
    """What came of a proposal of that kind: that all have agreed, or who has not answered yet.

    `key` is `consent.asked` or `consent.agreed`.
    """
    waits = look.awaited
    if waits:
        return words(key, names=_names(words, look, waits), count=len(waits))
    if look.conclusion is not None:
        return "\n".join([conclusions.heading(words, look), *conclusions.details(words, look)])
    if kind is ProposalKind.PAUSE:
        return paused_text(words, look)
    return words(f"carried_out.{kind.value}", table=look.id)


def alone_page(words: Words, look: TableSnapshot) -> Page:
    """The one question to a person who sits alone at a table and would end the game."""
    return _asking(words, look, words("consent.alone", table=look.id), "close_alone", "consent.end_it")


def resigning_page(words: Words, look: TableSnapshot) -> Page:
    """The one question to a person who resigns without a partner to ask."""
    return _asking(words, look, words("consent.resign_sure", table=look.id), "resign_sure", "consent.resign_it")


def refused_page(words: Words, look: TableSnapshot, proposal: Proposal, refuser: int) -> Page:
    """What whoever asked is told in private when somebody says no; who would end the game may leave."""
    seat = look.seat_of(refuser)
    name = "?" if seat is None else names.of_seat(words, look, seat)
    if proposal.kind is not ProposalKind.END:
        return page([text(words("consent.says_no", name=name))])
    heir = next((one for one in look.persons if one != proposal.by), None)
    follows = None if heir is None or look.host != proposal.by else look.seat_of(heir)
    if follows is None:
        said = words("consent.plays_on", name=name)
    else:
        said = words("consent.plays_on_host", name=name, host=names.of_seat(words, look, follows))
    row = buttons(
        button(ControlId(look.id, look.version, "leave"), words("consent.leave"), style=DANGER),
        button(ControlId(look.id, look.version, "close_keep"), words("consent.stay")),
    )
    return _page(text(said), row)


def go_on_button(words: Words, look: TableSnapshot) -> ui.Button[Any] | None:
    """*Go on*, where those who sit at a table may end its pause."""
    if look.pause is None or look.pause.until is None:
        return None
    return button(ControlId(look.id, look.version, "go_on"), words("consent.go_on"), style=PRIMARY)


def _ending(words: Words, look: TableSnapshot, name: str) -> str:
    view = look.view
    totals = () if view is None else view.totals
    scores = [grouped(words, total.score) for total in totals]
    told = reduce(lambda first, second: words("consent.scores", first=first, second=second), scores) if scores else ""
    if view is None or view.phase is Phase.BETWEEN:
        return words("proposed.end_between", name=name, scores=told)
    return words("proposed.end", name=name, scores=told, deal=view.deal)


def _until(words: Words, look: TableSnapshot, proposal: Proposal) -> str:
    """By when who has to agree; a question of an earlier release stays open."""
    if look.proposal_until is None:
        return words("consent.all")
    until = instant(look.proposal_until, ABSOLUTE)
    if proposal.kind is ProposalKind.RESIGN:
        return words("consent.partner_until", names=_names(words, look, look.awaited), until=until)
    return words("consent.all_until", until=until)


def _asking(words: Words, look: TableSnapshot, said: str, action: str, label: str) -> Page:
    row = buttons(
        button(ControlId(look.id, look.version, action), words(label), style=DANGER),
        button(ControlId(look.id, look.version, "close_keep"), words("consent.play_on")),
    )
    return _page(text(said), row)


def _page(*parts: Part | None) -> Page:
    return page([part for part in parts if part is not None])


def _names(words: Words, look: TableSnapshot, persons: Sequence[int]) -> str:
    seats = (look.seat_of(person) for person in persons)
    return names.of_those(words, look, [seat for seat in seats if seat is not None])
