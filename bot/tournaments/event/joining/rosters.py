"""The regulars and the line-up of an entry: asking, answering, leaving, taking over a seat.

Source: `docs/tournaments.md` 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.event.entries import AskedRegular, Entrant, EntryStage, Person
from bot.tournaments.event.joining.former_entries import open_match_as_substitute, require_may_form_entry
from bot.tournaments.event.match_state import MatchState, Turn
from bot.tournaments.event.matches import awaited_turns, require_open_match, side_of_seat
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import LIVE, add_news, find_match, require_stage, with_entrant, with_match


def ask_regular(tournament: Tournament, *, person: int, regular: int, now: int) -> Tournament:
    """Ask a person to become a regular of the caller's entry; they answer with `answer_regular_invitation`.

    Refusals: wrong_stage, not_entered, no_regulars, regulars_full, already_entered, was_removed, sits_in, was_in_entry.
    """
    require_stage(tournament, *LIVE)
    entrant = _own_entry(tournament, person)
    most = tournament.plan.most_regulars
    require_regulars_allowed(tournament)
    if any(one.person == regular for one in entrant.asked):
        return tournament
    if len(entrant.regulars) + len(entrant.asked) >= most:
        raise TournamentRefusal(TournamentCode.REGULARS_FULL, {"most": most})
    _require_may_be_regular(tournament, entrant, regular)
    until = now + tournament.plan.partner_answer
    asked = AskedRegular(person=Person(regular), until=until)
    after = with_entrant(tournament, replace(entrant, asked=(*entrant.asked, asked)))
    return add_news(
        after,
        "regular_asked",
        now,
        audience=Audience.PERSONS,
        persons=(regular,),
        about=(person,),
        entries=(entrant.number,),
        numbers={"until": until},
        pings=True,
    )


def require_regulars_allowed(tournament: Tournament) -> None:
    """Raise `TournamentRefusal` no_regulars if entries of this tournament cannot have regulars."""
    if not tournament.plan.most_regulars:
        raise TournamentRefusal(TournamentCode.NO_REGULARS)


def _own_entry(tournament: Tournament, person: int) -> Entrant:
    """Return the person's complete entry; refusal: not_entered."""
    entrant = tournament.entry_of(person)
    if entrant is None or entrant.stage is EntryStage.ASKED:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    return entrant


def _require_may_be_regular(tournament: Tournament, entrant: Entrant, regular: int) -> None:
    """Raise unless the person may become a regular: already_entered, was_removed, sits_in, was_in_entry."""
    known = tournament.entry_of(regular)
    if known is not None:
        raise TournamentRefusal(TournamentCode.ALREADY_ENTERED, {"entry": known.number})
    match = open_match_as_substitute(tournament, regular)
    if match is not None:
        raise TournamentRefusal(TournamentCode.SITS_IN, {"match": match.id, "own": 0})
    if regular not in entrant.former:
        require_may_form_entry(tournament, (entrant.captain, regular))


def answer_regular_invitation(tournament: Tournament, *, person: int, yes: bool, now: int) -> Tournament:
    """Accept or decline an invitation to be a regular.

    Refusals: wrong_stage, not_asked; if accepted, also already_entered, was_removed, sits_in, was_in_entry.
    """
    require_stage(tournament, *LIVE)
    entrant = tournament.regular_invitation_to(person)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ASKED)
    if not yes:
        return _without_invitations(tournament, entrant, (person,), now)
    _require_may_be_regular(tournament, entrant, person)
    joined = replace(
        entrant,
        asked=tuple(one for one in entrant.asked if one.person != person),
        regulars=(*entrant.regulars, Person(person)),
        former=tuple(one for one in entrant.former if one != person),
    )
    after = withdraw_regular_invitations(with_entrant(tournament, joined), (person,), now)
    return add_news(
        after,
        "regular_agreed",
        now,
        audience=Audience.PERSONS,
        persons=joined.people,
        about=(person,),
        entries=(entrant.number,),
    )


def withdraw_regular_invitations(tournament: Tournament, people: Sequence[int], now: int) -> Tournament:
    """Withdraw all invitations of these people to be regulars, because they play in another entry now."""
    for person in people:
        asking = tournament.regular_invitation_to(person)
        while asking is not None:
            tournament = _without_invitations(tournament, asking, (person,), now)
            asking = tournament.regular_invitation_to(person)
    return tournament


def expire_regular_invitations(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Withdraw an entry's invitations to regulars who have not answered in time."""
    entrant = tournament.entrant(entry)
    late = tuple(one.person for one in entrant.asked if one.until <= now)
    return _without_invitations(tournament, entrant, late, now)


def _without_invitations(tournament: Tournament, entrant: Entrant, people: Sequence[int], now: int) -> Tournament:
    """Withdraw an entry's invitations of these people as regulars, and notify its captain."""
    left = tuple(one for one in entrant.asked if one.person not in people)
    after = with_entrant(tournament, replace(entrant, asked=left))
    return add_news(
        after,
        "regular_declined",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        about=people,
        entries=(entrant.number,),
    )


def leave_roster(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Let a regular leave their entry; the line-up then no longer has them.

    If they have played for it, they may join no other entry afterwards. Refusals: not_entered, regular_sits.
    """
    match = _open_match_with_person(tournament, person)
    if match is not None:
        raise TournamentRefusal(TournamentCode.REGULAR_SITS, {"match": match.id})
    return take_out_regular(tournament, person=person, now=now)


def _open_match_with_person(tournament: Tournament, person: int) -> MatchState | None:
    """Return the open match in which the person sits, or None."""
    open_ = (one for one in tournament.matches if one.result is None and not one.voided)
    return next((one for one in open_ if person in one.seats), None)


def take_out_regular(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Take a regular out of their entry, even one who sits at a table. Refusal: not_entered."""
    entrant = _own_entry(tournament, person)
    if person not in entrant.regulars:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    played = any(person in one.seats for one in tournament.matches)
    left = replace(
        entrant,
        regulars=tuple(one for one in entrant.regulars if one != person),
        former=(*entrant.former, Person(person)) if played else entrant.former,
    )
    left = replace(left, lineup=_lineup_without(left, person))
    return add_news(
        with_entrant(tournament, left),
        "regular_left",
        now,
        audience=Audience.PERSONS,
        persons=left.people,
        about=(person,),
        entries=(left.number,),
    )


def _lineup_without(entrant: Entrant, person: int) -> tuple[Person, ...]:
    """Return the entry's line-up without the person; the first member not in it gets the seat."""
    if person not in entrant.lineup:
        return entrant.lineup
    free = next(one for one in entrant.members if one not in entrant.lineup)
    lineup = tuple(free if one == person else one for one in entrant.lineup)
    return () if lineup == entrant.people else lineup


def set_lineup(tournament: Tournament, *, person: int, players: Sequence[int]) -> Tournament:
    """Choose the members who play the next matches of the person's entry.

    Members who stay in the line-up keep their seats. A match already called keeps its players. Refusals: wrong_stage,
    not_entered, lineup_wrong.
    """
    require_stage(tournament, *LIVE)
    entrant = _own_entry(tournament, person)
    chosen = set(players)
    needed = len(entrant.people)
    if len(chosen) != needed or not chosen <= set(entrant.members):
        raise TournamentRefusal(TournamentCode.LINEUP_WRONG, {"needed": needed, "given": len(chosen)})
    coming = iter(one for one in entrant.members if one in chosen and one not in entrant.players)
    lineup = tuple(one if one in chosen else next(coming) for one in entrant.players)
    if lineup == entrant.players:
        return tournament
    changed = replace(entrant, lineup=() if lineup == entrant.people else lineup)
    return with_entrant(tournament, _with_check_in_stage(changed))


def _with_check_in_stage(entrant: Entrant) -> Entrant:
    """Return the entry as checked in if its whole line-up is, else as entered; other stages do not change."""
    if entrant.stage not in (EntryStage.ENTERED, EntryStage.HERE):
        return entrant
    here = set(entrant.players) <= set(entrant.here)
    return replace(entrant, stage=EntryStage.HERE if here else EntryStage.ENTERED)


def seats_to_take(tournament: Tournament, match: MatchState, person: int) -> tuple[Turn, ...]:
    """Return the turns of absent members of the person's entry that the person may take over.

    Empty if the person sits in an open match.
    """
    entrant = tournament.entry_of(person)
    busy = open_match_as_substitute(tournament, person) or _open_match_with_person(tournament, person)
    if entrant is None or not entrant.is_active or busy is not None:
        return ()
    own = next((side for side, entries in enumerate(match.sides) if entrant.number in entries), None)
    return tuple(
        one
        for one in awaited_turns(match)
        if side_of_seat(tournament, match, one.seat) == own
        and match.seats[one.seat] in entrant.present_and_former_members
    )


def take_over_seat(
    tournament: Tournament, *, match: int, person: int, seen_boards: Sequence[int], now: int
) -> Tournament:
    """Give an absent person's seat to a free member of the same entry, until the match ends.

    `seen_boards` are the boards of which the member has seen a card. Refusals: no_such_match, match_over,
    nobody_awaited, not_regular, substitute_knows.
    """
    match_state = find_match(tournament, match)
    require_open_match(match_state)
    if not awaited_turns(match_state):
        raise TournamentRefusal(TournamentCode.NOBODY_AWAITED, {"match": match})
    turn = next(iter(seats_to_take(tournament, match_state, person)), None)
    if turn is None:
        raise TournamentRefusal(TournamentCode.NOT_REGULAR)
    known = set(seen_boards) & set(match_state.boards)
    if known:
        raise TournamentRefusal(TournamentCode.SUBSTITUTE_KNOWS, {"board": min(known)})
    absentee = match_state.seats[turn.seat]
    newcomer = Person(person)
    changed = replace(
        match_state,
        seats=tuple(newcomer if seat == turn.seat else one for seat, one in enumerate(match_state.seats)),
        turns=tuple(one for one in match_state.turns if one != turn),
        arrived=(*match_state.arrived, newcomer),
        came=match_state.came if match_state.hours_until is None else (*match_state.came, newcomer),
        stood_in=(*match_state.stood_in, newcomer),
    )
    return add_news(
        with_match(tournament, changed),
        "stood_in",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=(person,),
        about=() if absentee is None else (absentee,),
        pings=True,
    )
