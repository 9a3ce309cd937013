"""Entering and leaving (`docs/tournaments.md` 1, 2, 8): places, partners, waiting list, late entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.counted_results import Span
from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.joining import rosters
from bot.tournaments.event.joining.former_entries import (
    departed_entry_of,
    open_match_as_substitute,
    require_may_form_entry,
)
from bot.tournaments.event.joining.partner_pool import (
    first_round_of_newcomers,
    last_round_for_late_entries,
    last_round_of_first_half,
    next_round_number,
    takes_late_entries,
    waiting_entries,
)
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import (
    LIVE,
    add_news,
    find_entrant,
    places_left,
    require_director,
    require_stage,
    with_entrant,
)


def publish_tournament(tournament: Tournament, *, director: int | None, now: int, commitment: str) -> Tournament:
    """Open a draft to entries, with the commitment to its seed.

    `director` is None if a series publishes it. Refusals: not_director, wrong_stage.
    """
    if director is not None:
        require_director(tournament, director)
    require_stage(tournament, Stage.DRAFT)
    return replace(tournament, stage=Stage.OPEN, commitment=commitment, since=now)


def unpublish_tournament(tournament: Tournament, *, director: int) -> Tournament:
    """Turn a tournament without entries back into a draft; publishing it again draws new seeds.

    Refusals: not_director, wrong_stage, somebody_entered.
    """
    require_director(tournament, director)
    require_stage(tournament, Stage.OPEN)
    inside = sum(not one.has_left for one in tournament.entrants)
    if inside:
        raise TournamentRefusal(TournamentCode.SOMEBODY_ENTERED, {"entries": inside})
    return replace(tournament, stage=Stage.DRAFT)


def enter_people(tournament: Tournament, *, people: Sequence[int], now: int) -> Tournament:
    """Enter the first of `people` with the others, who are asked to agree.

    A person invited to another entry accepts it by naming the same people and declines it by naming others. The same
    people entering again, once they have a start number, are brought back. Refusals: wrong_stage, partners_wrong,
    already_entered, entry_closed, no_place, was_removed, was_in_entry, sits_in.
    """
    require_stage(tournament, *LIVE)
    captain, *others = people
    returning = departed_entry_of(tournament, people)
    needed = tournament.plan.persons_entering_together if returning is None else len(returning.people)
    if len(set(people)) == len(people):
        require_may_form_entry(tournament, people)
    if len(set(people)) != needed:
        raise TournamentRefusal(TournamentCode.PARTNERS_WRONG, {"needed": needed, "given": len(set(people))})
    question = tournament.partner_invitation_to(captain)
    if question is not None:
        if set(question.people) == set(people):
            return accept_partnership(tournament, person=captain, now=now)
        tournament = _remove_declined_entry(tournament, question, now)
    for person in people:
        known = tournament.entry_of(person)
        if known is not None:
            raise TournamentRefusal(TournamentCode.ALREADY_ENTERED, {"entry": known.number})
    if tournament.stage is Stage.RUNNING:
        _require_may_enter_late(tournament, people)
    tournament = rosters.withdraw_regular_invitations(tournament, (captain,), now)
    number = max((one.number for one in tournament.entrants), default=0) + 1
    entrant = Entrant(
        number=number,
        people=tuple(Person(one) for one in people),
        captain=Person(captain),
        stage=EntryStage.ASKED,
        entered_at=now,
        agreed=(Person(captain),),
        asked_until=now + tournament.plan.partner_answer if others else None,
    )
    if not others:
        return _place_entry(tournament, entrant, now)
    after = with_entrant(tournament, entrant)
    return add_news(
        after,
        "partner_asked",
        now,
        audience=Audience.PERSONS,
        persons=tuple(others),
        entries=(number,),
        numbers={"until": entrant.asked_until or 0},
        pings=True,
    )


def enter_past_partners(tournament: Tournament, *, people: Sequence[int], now: int) -> Tournament:
    """Enter people who played together last season, without asking them again.

    Refusals: wrong_stage, already_entered.
    """
    require_stage(tournament, Stage.OPEN)
    for person in people:
        known = tournament.entry_of(person)
        if known is not None:
            raise TournamentRefusal(TournamentCode.ALREADY_ENTERED, {"entry": known.number})
    those = tuple(Person(one) for one in people)
    number = max((one.number for one in tournament.entrants), default=0) + 1
    entrant = Entrant(
        number=number, people=those, captain=those[0], stage=EntryStage.ENTERED, entered_at=now, agreed=those
    )
    return _place_entry(tournament, entrant, now)


def end_sign_up(tournament: Tournament, *, now: int) -> Tournament:
    """Close a sign-up to entries, so that the series can divide them. Refusal: wrong_stage."""
    require_stage(tournament, Stage.DRAFT, Stage.OPEN)
    return replace(tournament, stage=Stage.CANCELLED, closed_at=now)


def _require_may_enter_late(tournament: Tournament, people: Sequence[int]) -> None:
    """Raise `TournamentRefusal` if these people may neither enter late nor return: entry_closed, no_place.

    People come back to a Swiss until its first half is called, whether or not it takes new entries.
    """
    closed_after = last_round_for_late_entries(tournament)
    is_open = takes_late_entries(tournament)
    if departed_entry_of(tournament, people) is not None and tournament.plan.traits.late == "first_half":
        closed_after = last_round_of_first_half(tournament)
        is_open = next_round_number(tournament) <= closed_after
    if not is_open:
        raise TournamentRefusal(TournamentCode.ENTRY_CLOSED, {"round": closed_after})
    in_pool = sum(len(one.people) for one in waiting_entries(tournament))
    if places_left(tournament) - in_pool < len(people):
        raise TournamentRefusal(TournamentCode.NO_PLACE, {"places": tournament.plan.places})


def _place_entry(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Give a complete entry a place or a waiting position, or let it play from the next round."""
    others = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    if tournament.stage is Stage.RUNNING:
        returning = departed_entry_of(tournament, entrant.people)
        if returning is not None:
            return _resume_entry_from_next_round(others, returning, now)
        if (
            len(entrant.people) < tournament.plan.persons_in_entry
        ):  # a person whose partners are drawn waits for them in the pool
            alone = replace(entrant, stage=EntryStage.WAITING, asked_until=None, entered_at=now)
            return with_entrant(others, alone)
        return _enter_late_entry(tournament, entrant, now)
    stage = EntryStage.ENTERED if places_left(others) >= len(entrant.people) else EntryStage.WAITING
    return with_entrant(others, replace(entrant, stage=stage, asked_until=None, entered_at=now))


def _enter_late_entry(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Let an entry play from the next round, ranked last in the start order."""
    first = first_round_of_newcomers(tournament)
    rank = max((one.rank for one in tournament.entrants), default=0) + 1
    entered = replace(
        entrant,
        stage=EntryStage.PLAYING,
        asked_until=None,
        here=entrant.people,
        rank=rank,
        spans=(Span(first),),
        entered_at=now,
    )
    after = with_entrant(tournament, entered)
    return add_news(after, "entered_late", now, entries=(entered.number,), numbers={"round": first})


def accept_partnership(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Accept an invitation to be a partner. The last acceptance completes the entry.

    Refusals: wrong_stage, not_asked, entry_closed, no_place, was_removed, was_in_entry, sits_in.
    """
    require_stage(tournament, *LIVE)
    entrant = _find_partner_invitation(tournament, person)
    require_may_form_entry(tournament, (person, *(one for one in entrant.people if one != person)))
    tournament = rosters.withdraw_regular_invitations(tournament, (person,), now)
    agreed = (*entrant.agreed, Person(person))
    if set(agreed) != set(entrant.people):
        return with_entrant(tournament, replace(entrant, agreed=agreed))
    if tournament.stage is Stage.RUNNING:
        _require_may_enter_late(tournament, entrant.people)
    after = _place_entry(tournament, replace(entrant, agreed=agreed), now)
    return add_news(
        after,
        "partner_agreed",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        entries=(entrant.number,),
    )


def decline_partnership(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Decline an invitation to be a partner, which removes the entry. Refusals: wrong_stage, not_asked."""
    require_stage(tournament, *LIVE)
    entrant = _find_partner_invitation(tournament, person)
    return _remove_declined_entry(tournament, entrant, now)


def expire_partner_invitation(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Remove an entry whose partner has not answered in time."""
    return _remove_declined_entry(tournament, tournament.entrant(entry), now)


def _remove_declined_entry(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Remove an entry whose partner did not agree, and notify the person who entered it."""
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    return add_news(
        after,
        "partner_declined",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        about=tuple(one for one in entrant.people if one not in entrant.agreed),
    )


def _find_partner_invitation(tournament: Tournament, person: int) -> Entrant:
    """Return the entry that waits for the person's answer; refusal: not_asked."""
    question = tournament.partner_invitation_to(person)
    if question is None:
        raise TournamentRefusal(TournamentCode.NOT_ASKED)
    return question


def withdraw_entry_of(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Withdraw the person's entry: before the start at once, later after the current round.

    A match already called is played or forfeited; results stay. An entry still waiting for a partner's answer is
    removed, no matter which of its people leaves. A regular leaves alone. Refusals: wrong_stage, not_entered,
    regular_sits.
    """
    require_stage(tournament, *LIVE)
    entrant = tournament.entry_of(person)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if tournament.partner_invitation_to(person) is not None:
        return _remove_declined_entry(tournament, entrant, now)
    if person in entrant.regulars:
        return rosters.leave_roster(tournament, person=person, now=now)
    if entrant.stage is not EntryStage.PLAYING:
        return _withdraw_before_start(tournament, entrant, now)
    return _take_out_started_entry(tournament, entrant, EntryStage.LEFT, now)


def remove_entry(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Remove an entry. Its persons may not enter again until a director undoes the removal.

    Of an entry that waits for a partner's answer, only those who have agreed count as removed. Refusals: wrong_stage,
    no_such_entry.
    """
    require_stage(tournament, *LIVE)
    entrant = find_entrant(tournament, entry)
    if entrant.has_left:
        raise TournamentRefusal(TournamentCode.NO_SUCH_ENTRY, {"entry": entry})
    if entrant.stage is EntryStage.PLAYING:
        return _take_out_started_entry(tournament, entrant, EntryStage.REMOVED, now)
    people = entrant.agreed if entrant.stage is EntryStage.ASKED else entrant.people
    out = replace(entrant, stage=EntryStage.REMOVED, people=people, asked_until=None)
    numbers = {"entries": _count_playing_entries(tournament)}
    after = add_news(with_entrant(tournament, out), "removed", now, entries=(entry,), numbers=numbers)
    return move_up_waiting_entries(after, now) if tournament.stage is Stage.OPEN else after


def _take_out_started_entry(tournament: Tournament, entrant: Entrant, stage: EntryStage, now: int) -> Tournament:
    """Take an entry out of a running tournament; it plays no round after the newest called one.

    `stage` is its stage afterwards: left or removed.
    """
    turn = tournament.current_round
    last = 0 if turn is None else turn.number - (turn.stage is RoundStage.DRAWN)
    annulled = _is_annulled(tournament, entrant)
    left = replace(entrant, stage=stage, spans=entrant.spans_ending_with_round(last), annulled=annulled)
    after = with_entrant(tournament, left)
    code = "removed" if stage is EntryStage.REMOVED else "left"
    return add_news(after, code, now, entries=(entrant.number,), numbers={"entries": _count_playing_entries(after)})


def _is_annulled(tournament: Tournament, entrant: Entrant) -> bool:
    """Return whether the entry's results are annulled if it leaves now.

    They are in a round robin of which it has played less than half (`docs/tournaments.md` 3).
    """
    if not tournament.plan.traits.forfeits_count:
        return False
    played = sum(
        one.result is not None and not one.voided and any(entrant.number in side for side in one.sides)
        for one in tournament.matches
    )
    others = sum(1 for one in tournament.entrants if one.rank) - 1
    return 2 * played < others * tournament.plan.cycles


def _count_playing_entries(tournament: Tournament) -> int:
    """Return the number of active entries."""
    return sum(1 for one in tournament.entrants if one.is_active)


def _withdraw_before_start(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Remove an entry before the start. While entries are open, give its place to waiting entries."""
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    if tournament.stage is not Stage.OPEN:
        return after
    return move_up_waiting_entries(after, now)


def move_up_waiting_entries(tournament: Tournament, now: int) -> Tournament:
    """Give free places to waiting entries, the longest waiting first, and notify them."""
    for one in waiting_entries(tournament):
        if places_left(tournament) < len(one.people):
            break
        tournament = with_entrant(tournament, replace(one, stage=EntryStage.ENTERED))
        tournament = add_news(
            tournament, "moved_up", now, audience=Audience.PERSONS, persons=one.people, entries=(one.number,)
        )
    return tournament


def skip_next_round(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Skip the next round, allowed once (`docs/tournaments.md` 3).

    Refusals: wrong_stage, not_entered, already_sat_out, last_round.
    """
    require_stage(tournament, Stage.RUNNING)
    entrant = tournament.entry_of(person)
    if entrant is None or not entrant.is_active:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if not tournament.plan.traits.may_sit_out:  # other formats need all entries in every round
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    following = next_round_number(tournament)
    if following >= (tournament.rounds_planned or 0):
        raise TournamentRefusal(TournamentCode.LAST_ROUND, {"round": following})
    if following in entrant.sits_out:
        raise TournamentRefusal(TournamentCode.ALREADY_SAT_OUT, {"round": following})
    after = with_entrant(tournament, replace(entrant, sits_out=(*entrant.sits_out, following)))
    return add_news(after, "sits_out", now, entries=(entrant.number,), numbers={"round": following})


def bring_back_entry(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Let an entry that left or was removed take part again. Rounds that it missed give no points.

    An entry removed before the start gets its place back if entries are still open; otherwise its persons may enter
    again. Refusals: no_such_entry, wrong_stage, sits_in, already_entered.
    """
    entrant = find_entrant(tournament, entry)
    if not entrant.has_left or (not entrant.rank and entrant.stage is EntryStage.LEFT):
        raise TournamentRefusal(TournamentCode.NO_SUCH_ENTRY, {"entry": entry})
    if not entrant.rank:
        require_stage(tournament, *LIVE)
        return _lift_removal(tournament, entrant, now)
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    for person in entrant.people:
        match = open_match_as_substitute(tournament, person)
        if match is not None:
            raise TournamentRefusal(TournamentCode.SITS_IN, {"match": match.id, "own": 0})
        known = tournament.entry_of(person)  # the same persons may have invited each other since
        if known is not None:
            tournament = _remove_declined_entry(tournament, known, now)
    return _resume_entry_from_next_round(tournament, entrant, now)


def _resume_entry_from_next_round(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Let an entry play again from the next round, and announce it."""
    spans = entrant.spans_if_resumed(next_round_number(tournament)) if tournament.plan.traits.has_rounds else (Span(),)
    back = replace(entrant, stage=EntryStage.PLAYING, spans=spans, annulled=False, asked=())
    return add_news(with_entrant(tournament, back), "back", now, entries=(entrant.number,))


def _lift_removal(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Undo a removal before the start.

    While entries are open, a complete entry is restored; otherwise its persons may enter again.
    """
    others = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    whole = len(entrant.people) == tournament.plan.persons_entering_together
    if not whole or tournament.stage is not Stage.OPEN:
        return add_news(others, "may_enter", now, audience=Audience.PERSONS, persons=entrant.people)
    return add_news(_place_entry(others, entrant, now), "back", now, entries=(entrant.number,))


def with_start_order(tournament: Tournament, order: Sequence[int]) -> Tournament:
    """Return the tournament with its entries in this start order.

    Entries that are not in it follow in their old order.
    """
    place = {number: rank for rank, number in enumerate(order)}
    ranked = sorted(
        (one for one in tournament.entrants if one.rank), key=lambda one: (place.get(one.number, len(place)), one.rank)
    )
    for rank, one in enumerate(ranked, 1):
        tournament = with_entrant(tournament, replace(one, rank=rank))
    return tournament
