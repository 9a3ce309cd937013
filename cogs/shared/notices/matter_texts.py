"""What persons are told besides turns, in words: of votes, offers, ends, seats and places, and nothing of any card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.clocks.law import DAY
from bot.i18n import Words
from bot.tables.absence.values import Why
from bot.tables.looks import TableLook
from cogs.shared.door.components import Page, page, text
from cogs.shared.notices.matters import Kind, Matter
from cogs.shared.notices.texts import link_row
from cogs.shared.showing import absence, consent
from cogs.shared.telling import names, time_lines
from cogs.shared.telling.numbers import grouped


def matter_page(words: Words, look: TableLook, told: Sequence[Matter], *, mention: bool) -> Page:
    """What those persons are told of the same matter: called at the table, or one of them in a direct message."""
    matter = told[0]
    called = ", ".join(f"<@{one.person}>" for one in told) if mention else _name(words, look, matter.person)
    said = words("matters.to", names=called, told=_SAID[matter.kind](words, look, matter))
    if not mention:
        return page([text(said), link_row(words, look)])
    return page([text(said)], (), tuple(one.person for one in told))


def _name(words: Words, look: TableLook, person: int) -> str:
    """The person's own name at the table."""
    for holder in look.seats:
        if holder.person == person:
            return names.shown(holder.name)
        if holder.kept_for == person:
            return names.shown(holder.kept_name)
    return words("seat.former")


def _seat(words: Words, look: TableLook, matter: Matter) -> str:
    """Whose seat it is, that of an absent person too."""
    holder = look.seats[matter.seat]
    return names.of_seat(words, look, matter.seat) if holder.kept_for is None else names.shown(holder.kept_name)


# --- matters ----------------------------------------------------------------------------------------------------------


def _vote(words: Words, look: TableLook, matter: Matter) -> str:
    vote = look.vote
    if vote is None:
        return ""
    gone = vote.why is Why.GONE
    key = "matters.vote_gone" if gone else "matters.vote"
    when = time_lines.instant(look.vote_until or vote.at + DAY, time_lines.ABSOLUTE if gone else time_lines.RELATIVE)
    return words(key, name=_seat(words, look, matter), table=look.id, when=when)


def _claim(words: Words, look: TableLook, matter: Matter) -> str:
    claim = look.absence.claim(matter.seat)
    asked = "" if claim is None else absence.claim_line(words, look, claim)
    return words("matters.asked", table=look.id, asked=asked)


def _offer(words: Words, look: TableLook, _matter: Matter) -> str:
    asked = "" if look.proposal is None else consent.asked_line(words, look, look.proposal)
    return words("matters.asked", table=look.id, asked=asked)


def _ends(words: Words, look: TableLook, _matter: Matter) -> str:
    return words("matters.ends", table=look.id, when=time_lines.instant(look.absence.ends_at or 0, time_lines.ABSOLUTE))


def _idle(words: Words, look: TableLook, _matter: Matter) -> str:
    return absence.idle_line(words, look, look.absence.idle_at or 0)


def _over(words: Words, look: TableLook, _matter: Matter) -> str:
    winner, view = look.winner, look.view
    if winner is None or view is None:
        return words("matters.over_tied", table=look.id)
    scores = [total.score for total in view.totals] if look.conclusion is None else look.conclusion.scores
    side = names.of_total(words, look, winner)
    return words("matters.over", table=look.id, side=side, score=grouped(words, scores[winner]))


def _given(words: Words, look: TableLook, matter: Matter) -> str:
    return words("matters.given", name=_seat(words, look, matter), table=look.id)


def _back(words: Words, look: TableLook, matter: Matter) -> str:
    return words("matters.back", name=_seat(words, look, matter), table=look.id)


def _moved(words: Words, look: TableLook, _matter: Matter) -> str:
    return words("matters.moved", table=look.id)


def _gone(words: Words, look: TableLook, _matter: Matter) -> str:
    return words("matters.gone", table=look.id)


_SAID: Final[Mapping[Kind, Callable[[Words, TableLook, Matter], str]]] = {
    Kind.VOTE: _vote,
    Kind.CLAIM: _claim,
    Kind.OFFER: _offer,
    Kind.ENDS: _ends,
    Kind.IDLE: _idle,
    Kind.OVER: _over,
    Kind.GIVEN: _given,
    Kind.BACK: _back,
    Kind.MOVED: _moved,
    Kind.GONE: _gone,
}
