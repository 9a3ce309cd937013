"""Absence on the board: what it says of absent persons and of coming ends, and the buttons for those who decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord import ui

from bot.clocks.law import DAY
from bot.i18n import Words
from bot.tables.absence import ballots
from bot.tables.absence.values import AbsenceChoice, AbsenceReason, Claim, ClaimKind, Vote
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.door.components import DANGER, PRIMARY, SUCCESS, button
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import names


def absence_lines(words: Words, look: TableSnapshot) -> list[str]:
    """All that is to be said of absent persons and of ends that come by themselves; nothing of a game that is over."""
    if look.status is not Status.PLAYING:
        return []
    lines = [*_vote(words, look), *_kept(words, look), *_back(words, look)]
    lines += [claim_line(words, look, one) for one in look.absence.claims]
    return [*lines, *ends(words, look)]


def ends(words: Words, look: TableSnapshot) -> Iterator[str]:
    """When the game is over at the latest, and when it is closed because nobody touches it."""
    absence = look.absence
    if look.last_deal:
        yield words("absence.last_deal")
    elif absence.ends_at is not None:
        key = "absence.latest_end_near" if absence.ends_told else "absence.over_by"
        yield words(key, when=_instant(absence.ends_at, "f"))
    if absence.idle_at is not None:
        yield idle_line(words, look, absence.idle_at)


def idle_line(words: Words, look: TableSnapshot, closes_at: int) -> str:
    """For how long nobody has played, and when the game is closed."""
    alone = ballots.always_alone(look.seats, (one.holder for one in look.sat))
    days = look.settings.idle_days(alone=alone) - 1
    return words("absence.idle", table=look.id, count=days, when=_instant(closes_at))


def absence_buttons(words: Words, look: TableSnapshot) -> list[ui.Button[Any]]:
    """The buttons of those who decide about a seat, first of the vote, then of claims."""
    if look.status is not Status.PLAYING:
        return []
    found = [] if look.vote is None else [_choice(words, look, look.vote, one) for one in _choices(look, look.vote)]
    for claim in look.absence.claims:
        found += _answers(words, look, claim)
    return found


def _choices(look: TableSnapshot, vote: Vote) -> tuple[AbsenceChoice, ...]:
    return ballots.choices(look.seats, look.terms, look.absence, vote)


def _choice(words: Words, look: TableSnapshot, vote: Vote, choice: AbsenceChoice) -> ui.Button[Any]:
    control = ControlId(look.id, look.version, f"vote_{choice.value}", str(vote.at))
    style = DANGER if choice is AbsenceChoice.END else PRIMARY if choice is AbsenceChoice.WAIT else None
    label = words(f"absence.{choice.value}")
    return button(control, label) if style is None else button(control, label, style=style)


def _answers(words: Words, look: TableSnapshot, claim: Claim) -> list[ui.Button[Any]]:
    argument = f"{claim.seat}.{claim.at}"
    if claim.kind is ClaimKind.OBJECT:
        control = ControlId(look.id, look.version, "seat_yes", argument)
        return [button(control, words("absence.object"), style=DANGER)]
    return [
        button(ControlId(look.id, look.version, "seat_yes", argument), words("absence.agree"), style=SUCCESS),
        button(ControlId(look.id, look.version, "seat_no", argument), words("absence.refuse")),
    ]


# --- lines ------------------------------------------------------------------------------------------------------------


def _vote(words: Words, look: TableSnapshot) -> Iterator[str]:
    vote = look.vote
    if vote is None:
        return
    name, when = names.of_seat(words, look, vote.seat), _instant(look.vote_until or vote.at + DAY)
    if vote.why is AbsenceReason.GONE:
        yield words("absence.gone", name=name, when=_instant(look.vote_until or vote.at + DAY, "f"))
    else:
        able = ballots.voters(look.seats, vote)
        voted = sum(one.seat in able for one in vote.ballots)
        yield words("absence.vote", name=name, voted=voted, count=len(able), when=when)


def _kept(words: Words, look: TableSnapshot) -> Iterator[str]:
    """Computer players that play for absent persons, and substitutes that are sought."""
    for seat, holder in enumerate(look.seats):
        if holder.kept_for is not None and seat in look.absence.kept and seat not in look.absence.left:
            yield words("absence.kept", name=names.shown(holder.kept_name))
    for one in look.sought:
        holder = look.seats[one.seat]
        name = names.shown(holder.kept_name) if holder.kept_for is not None else names.of_seat(words, look, one.seat)
        until = look.sought_until or one.at + 2 * DAY
        yield words("absence.sought", name=name, when=_instant(until, "f"))


def _back(words: Words, look: TableSnapshot) -> Iterator[str]:
    """Who has come back, in the turn in which that was."""
    returned, view = look.absence.returned, look.view
    if returned is None or view is None or returned.turn != (view.deal, view.turns):
        return
    if look.seats[returned.seat].person is not None:
        yield words("absence.back", name=names.of_seat(words, look, returned.seat))


def claim_line(words: Words, look: TableSnapshot, claim: Claim) -> str:
    """Who would like to have which seat, or has come back to it, and when that is decided."""
    holder, when = claim.holder, _instant(claim.at + DAY)
    name = names.shown(holder.name)
    if claim.kind is ClaimKind.TAKE:
        seat = names.of_seat(words, look, claim.seat)
        key = "absence.claim_unknown" if claim.unknown else "absence.claim_take"
        return words(key, name=name, seat=seat, when=when)
    key = "absence.claim_return" if claim.kind is ClaimKind.RETURN else "absence.claim_object"
    return words(key, name=name, when=when)


def _instant(milliseconds: int, style: str = "R") -> str:
    return f"<t:{milliseconds // 1000}:{style}>"
