"""Questions on the board: proposals to agree to, votes about absent players, ends of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from discord import ui

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, ClockTerms
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.state import absence as absence_state
from bot.tables.state.absence import AbsenceChoice, AbsenceReason, Claim, ClaimKind, EndChoice, Vote
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api.components import DANGER, PRIMARY, SUCCESS, Page, Part, button, button_row, page, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.paused_games import paused_text
from cogs.shared.telling import names, play_text
from cogs.shared.telling.numbers import group_thousands
from cogs.shared.telling.status_text import ABSOLUTE, discord_timestamp


def absence_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return lines on absent players and on when the game ends by itself; none if the game is over."""
    if snapshot.status is not Status.PLAYING:
        return []
    if snapshot.is_halted:  # the time is unknown until the game continues
        return [*_stopped_table_lines(words, snapshot), *_kept_seat_lines(words, snapshot)]
    lines = [*_vote_lines(words, snapshot), *_kept_seat_lines(words, snapshot), *_return_lines(words, snapshot)]
    lines += [
        *_unopposed_lines(words, snapshot),
        *(claim_line(words, snapshot, one) for one in snapshot.absence.claims),
    ]
    return [*lines, *game_end_lines(words, snapshot)]


def game_end_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield lines on the game's latest end and on its closing for inactivity."""
    absence = snapshot.absence
    if snapshot.last_deal:
        yield words("absence.last_deal")
    elif absence.ends_at is not None:
        key = "absence.latest_end_near" if absence.ends_told else "absence.over_by"
        yield words(key, when=_timestamp(absence.ends_at, "f"))
    if absence.idle_at is not None:
        yield idle_line(words, snapshot, absence.idle_at)


def idle_line(words: Words, snapshot: TableSnapshot, closes_at: int) -> str:
    """Return a line on how long the game has been idle and when it is closed."""
    alone = absence_state.has_one_player(snapshot.seats)
    days = snapshot.settings.idle_days(alone=alone) - 1
    return words("absence.idle", table=snapshot.id, count=days, when=_timestamp(closes_at))


def absent_players_text(snapshot: TableSnapshot) -> tuple[str, int]:
    """Return the names of absent players whose side has no person left, and their number."""
    own = {snapshot.terms.side_of(seat) for seat, holder in enumerate(snapshot.seats) if holder.person is not None}
    away = [
        names.escape_name(holder.kept_name)
        for seat, holder in enumerate(snapshot.seats)
        if (holder.kept_for or 0) > 0 and snapshot.terms.side_of(seat) not in own
    ]
    return " & ".join(away), len(away)


def end_choice_buttons(words: Words, snapshot: TableSnapshot) -> list[ui.Button[Any]]:
    """Return the buttons to choose how a game without opponents ends; none before the players may choose."""
    unopposed = snapshot.absence.unopposed
    if unopposed is None or unopposed.open_at is None:
        return []
    styles = {EndChoice.PLAY_ON: PRIMARY, EndChoice.END: DANGER, EndChoice.CLAIM: DANGER}
    return [
        button(
            ControlId(snapshot.id, snapshot.version, f"pick_{choice.value}", str(unopposed.open_at)),
            words(f"end_choice.{choice.value}"),
            style=style,
        )
        for choice, style in styles.items()
    ]


def absence_buttons(words: Words, snapshot: TableSnapshot) -> list[ui.Button[Any]]:
    """Return the buttons for questions about absent players: the vote, the end without opponents, claims.

    There are none while the table is stopped, because nothing is decided then.
    """
    if snapshot.status is not Status.PLAYING or snapshot.is_halted:
        return []
    found = [*vote_buttons(words, snapshot), *end_choice_buttons(words, snapshot)]
    for claim in snapshot.absence.claims:
        found += claim_buttons(words, snapshot, claim)
    return found


def vote_buttons(words: Words, snapshot: TableSnapshot) -> list[ui.Button[Any]]:
    """Return the buttons of the open vote about a seat; none if no vote is open."""
    vote = snapshot.vote
    if vote is None:
        return []
    choices = absence_state.vote_choices(snapshot.seats, snapshot.terms, snapshot.absence, vote)
    return [_vote_button(words, snapshot, vote, one) for one in choices]


def _vote_button(words: Words, snapshot: TableSnapshot, vote: Vote, choice: AbsenceChoice) -> ui.Button[Any]:
    control = ControlId(snapshot.id, snapshot.version, f"vote_{choice.value}", f"{vote.seat}.{vote.at}")
    style = DANGER if choice is AbsenceChoice.END else PRIMARY if choice is AbsenceChoice.WAIT else None
    label = words(f"absence.{choice.value}")
    return button(control, label) if style is None else button(control, label, style=style)


def claim_buttons(words: Words, snapshot: TableSnapshot, claim: Claim) -> list[ui.Button[Any]]:
    """Return the buttons for a claim to a seat: *Agree* and *No*, or for a return *Object* and *No*."""
    argument = f"{claim.seat}.{claim.at}"
    objects = claim.kind is ClaimKind.OBJECT
    label, style = ("absence.object", DANGER) if objects else ("absence.agree", SUCCESS)
    return [
        button(ControlId(snapshot.id, snapshot.version, "seat_yes", argument), words(label), style=style),
        button(ControlId(snapshot.id, snapshot.version, "seat_no", argument), words("absence.refuse")),
    ]


# --- lines ------------------------------------------------------------------------------------------------------------


def _vote_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    vote = snapshot.vote
    if vote is None:
        return
    name, when = names.seat_name(words, snapshot, vote.seat), _timestamp(snapshot.vote_until or vote.at + DAY)
    if vote.why is AbsenceReason.GONE:
        yield words("absence.gone", name=name, when=_timestamp(snapshot.vote_until or vote.at + DAY, "f"))
    else:
        able = absence_state.voters(snapshot.seats, vote)
        voted = sum(one.seat in able for one in vote.ballots)
        yield words("absence.vote", name=name, voted=voted, count=len(able), when=when)


def _stopped_table_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield lines on open questions while the table is stopped, without times."""
    absence = snapshot.absence
    if absence.vote is not None:
        yield words("absence.vote_stands", name=names.seat_name(words, snapshot, absence.vote.seat))
    if absence.vote is not None or absence.claims or snapshot.proposal is not None or absence.unopposed is not None:
        yield words("absence.stands")


def _unopposed_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield lines saying that a side has no opponents left, and from when it may end the game."""
    if snapshot.absence.unopposed is None:
        return
    message, count = absent_players_text(snapshot)
    if snapshot.choice_at is None:
        yield words("absence.unopposed_choice", names=message, count=count)
    else:
        yield words("absence.unopposed", when=_timestamp(snapshot.choice_at, "f"))


def _kept_seat_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield lines on seats that computer players keep for absent people, and on searches for substitutes."""
    for seat, holder in enumerate(snapshot.seats):
        if holder.kept_for is not None and seat in snapshot.absence.kept and seat not in snapshot.absence.left:
            yield words("absence.kept", name=names.escape_name(holder.kept_name))
    for one in snapshot.sought:
        holder = snapshot.seats[one.seat]
        name = (
            names.escape_name(holder.kept_name)
            if holder.kept_for is not None
            else names.seat_name(words, snapshot, one.seat)
        )
        until = snapshot.sought_until or one.at + 2 * DAY
        yield words("absence.sought", name=name, when=_timestamp(until, "f"))


def _return_lines(words: Words, snapshot: TableSnapshot) -> Iterator[str]:
    """Yield lines on players who came back in the current turn."""
    returned, view = snapshot.absence.returned, snapshot.view
    if returned is None or view is None or returned.turn != (view.deal, view.turns):
        return
    if snapshot.seats[returned.seat].person is not None:
        yield words("absence.back", name=names.seat_name(words, snapshot, returned.seat))


def claim_line(words: Words, snapshot: TableSnapshot, claim: Claim) -> str:
    """Return a line on who claims or has returned to which seat, and when that is decided."""
    holder, when = claim.holder, _timestamp(claim.at + DAY)
    name = names.escape_name(holder.name)
    if claim.kind is ClaimKind.TAKE:
        seat = names.seat_name(words, snapshot, claim.seat)
        key = "absence.claim_unknown" if claim.unknown else "absence.claim_take"
        return words(key, name=name, seat=seat, when=when)
    key = "absence.claim_return" if claim.kind is ClaimKind.RETURN else "absence.claim_object"
    return words(key, name=name, when=when)


def _timestamp(milliseconds: int, style: str = "R") -> str:
    return f"<t:{milliseconds // 1000}:{style}>"


def question_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return text on the open proposal, its deadline, and who has not answered; "" if none is open.

    While the table is stopped, the text is only the proposal: its deadline is unknown until the game goes on.
    """
    if snapshot.proposal is None:
        return ""
    if snapshot.is_halted:
        return proposal_text(words, snapshot, snapshot.proposal)
    waits = snapshot.unanswered_people
    waited = words("consent.waits", names=_joined_names(words, snapshot, waits), count=len(waits))
    return f"{proposal_line(words, snapshot, snapshot.proposal)}\n{waited}"


def proposal_line(words: Words, snapshot: TableSnapshot, proposal: Proposal) -> str:
    """Return a line on who proposes what, with its deadline."""
    return f"{proposal_text(words, snapshot, proposal)} {_deadline_text(words, snapshot, proposal)}"


def proposal_text(words: Words, snapshot: TableSnapshot, proposal: Proposal) -> str:
    """Return a sentence on who proposes what."""
    seat = snapshot.seat_of(proposal.by)
    name = "?" if seat is None else names.seat_name(words, snapshot, seat)
    match proposal.kind:
        case ProposalKind.END:
            return _agreed_end_text(words, snapshot, name)
        case ProposalKind.PAUSE:
            return words("proposed.pause", name=name, days=proposal.days)
        case ProposalKind.SLOWER_CLOCK if proposal.clock is not None:
            return words("proposed.slower_clock", name=name, clock=clock_text(words, proposal.clock))
    return words(f"proposed.{proposal.kind.value}", name=name)


def clock_text(words: Words, clock: ClockTerms) -> str:
    """Return a slow table's clock as text in hours: starting time, bonus per turn, maximum."""
    hours = {"bank": clock.bank // HOUR, "increment": clock.increment // HOUR, "most": clock.cap // HOUR}
    return words("consent.clock", **hours)


def question_buttons(
    words: Words, snapshot: TableSnapshot, *, refusal_label: str = "consent.play_on"
) -> tuple[ui.Button[Any], ...]:
    """Return *Agree* and a refusal with the label `refusal_label` for the open proposal; none if none is open."""
    proposal = snapshot.proposal
    if proposal is None or snapshot.is_halted:
        return ()
    return (
        button(
            ControlId(snapshot.id, snapshot.version, "close_yes", str(proposal.at)),
            words("consent.agree"),
            style=DANGER,
        ),
        button(ControlId(snapshot.id, snapshot.version, "close_no", str(proposal.at)), words(refusal_label)),
    )


def proposal_outcome_text(words: Words, snapshot: TableSnapshot, kind: ProposalKind, key: str) -> str:
    """Return a sentence on what a proposal has led to: it is done, or who has not answered.

    `key` is the sentence for open answers: `consent.asked` or `consent.agreed`.
    """
    waits = snapshot.unanswered_people
    if waits:
        return words(key, names=_joined_names(words, snapshot, waits), count=len(waits))
    if snapshot.conclusion is not None:
        return "\n".join([play_text.early_end_heading(words, snapshot), *play_text.early_end_details(words, snapshot)])
    if kind is ProposalKind.PAUSE:
        return paused_text(words, snapshot)
    return words(f"carried_out.{kind.value}", table=snapshot.id)


def confirm_end_alone_page(words: Words, snapshot: TableSnapshot) -> Page:
    """Return the page that asks a person who plays alone whether to end the game."""
    return _confirmation_page(
        words, snapshot, words("consent.alone", table=snapshot.id), "close_alone", "consent.end_it"
    )


def confirm_resigning_page(words: Words, snapshot: TableSnapshot) -> Page:
    """Return the page that asks a person without a human partner whether to resign."""
    return _confirmation_page(
        words, snapshot, words("consent.resign_sure", table=snapshot.id), "resign_sure", "consent.resign_it"
    )


def refused_proposal_page(words: Words, snapshot: TableSnapshot, proposal: Proposal, refuser: int) -> Page:
    """Return the private message to the proposer of something that was refused.

    If they proposed to end the game, it offers them to leave.
    """
    seat = snapshot.seat_of(refuser)
    name = "?" if seat is None else names.seat_name(words, snapshot, seat)
    if proposal.kind is not ProposalKind.END:
        return page([text(words("consent.says_no", name=name))])
    heir = next((one for one in snapshot.persons if one != proposal.by), None)
    follows = None if heir is None or snapshot.host != proposal.by else snapshot.seat_of(heir)
    if follows is None:
        message = words("consent.plays_on", name=name)
    else:
        message = words("consent.plays_on_host", name=name, host=names.seat_name(words, snapshot, follows))
    row = button_row(
        button(ControlId(snapshot.id, snapshot.version, "leave"), words("consent.leave"), style=DANGER),
        button(ControlId(snapshot.id, snapshot.version, "close_keep"), words("consent.stay")),
    )
    return _page_of_parts(text(message), row)


def end_pause_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any] | None:
    """Return *Go on* if the players may end the pause; else None."""
    if snapshot.pause is None or snapshot.pause.until is None:
        return None
    return button(ControlId(snapshot.id, snapshot.version, "go_on"), words("consent.go_on"), style=PRIMARY)


def _agreed_end_text(words: Words, snapshot: TableSnapshot, name: str) -> str:
    view = snapshot.view
    totals = () if view is None else view.totals
    scores = [group_thousands(words, total.score) for total in totals]
    message = (
        reduce(lambda first, second: words("consent.scores", first=first, second=second), scores) if scores else ""
    )
    if view is None or view.phase is Phase.BETWEEN:
        return words("proposed.end_between", name=name, scores=message)
    return words("proposed.end", name=name, scores=message, deal=view.deal)


def _deadline_text(words: Words, snapshot: TableSnapshot, proposal: Proposal) -> str:
    """Return a sentence on who must agree by when; without a deadline, that all must agree."""
    if snapshot.proposal_until is None:
        return words("consent.all")
    until = discord_timestamp(snapshot.proposal_until, ABSOLUTE)
    if proposal.kind is ProposalKind.RESIGN:
        return words(
            "consent.partner_until", names=_joined_names(words, snapshot, snapshot.unanswered_people), until=until
        )
    return words("consent.all_until", until=until)


def _confirmation_page(words: Words, snapshot: TableSnapshot, message: str, action: str, label: str) -> Page:
    row = button_row(
        button(ControlId(snapshot.id, snapshot.version, action), words(label), style=DANGER),
        button(ControlId(snapshot.id, snapshot.version, "close_keep"), words("consent.play_on")),
    )
    return _page_of_parts(text(message), row)


def _page_of_parts(*parts: Part | None) -> Page:
    return page([part for part in parts if part is not None])


def _joined_names(words: Words, snapshot: TableSnapshot, persons: Sequence[int]) -> str:
    seats = (snapshot.seat_of(person) for person in persons)
    return names.joined_seat_names(words, snapshot, [seat for seat in seats if seat is not None])
