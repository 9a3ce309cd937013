"""Which entry persons belong to: the one that has a start number (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament


def departed_entry_of(tournament: Tournament, people: Iterable[int]) -> Entrant | None:
    """Return the entry of exactly these people that has a start number and has left, or None."""
    those = set(people)
    left = (one for one in tournament.entrants if one.rank and one.stage is EntryStage.LEFT)
    return next((one for one in left if set(one.people) == those), None)


def earlier_entry_of(tournament: Tournament, person: int) -> Entrant | None:
    """Return the entry with a start number that has left and to which the person belonged, or None."""
    left = (one for one in tournament.entrants if one.rank and one.stage is EntryStage.LEFT)
    return next((one for one in left if person in one.present_and_former_members), None)


def _entry_of_former_regular(tournament: Tournament, person: int) -> Entrant | None:
    """Return the entry for which the person once played as a regular, or None."""
    return next((one for one in tournament.entrants if person in one.former), None)


def was_removed(tournament: Tournament, person: int) -> bool:
    """Return whether a director removed the person's entry and has not undone that."""
    return any(person in one.members for one in tournament.entrants if one.stage is EntryStage.REMOVED)


def open_match_as_substitute(tournament: Tournament, person: int) -> MatchState | None:
    """Return the open match in which the person sits without being in an entry, or None."""
    open_ = (one for one in tournament.matches if one.result is None and not one.voided and person in one.seats)
    return next((one for one in open_ if tournament.entry_of(person) is None), None)


def require_may_form_entry(tournament: Tournament, people: Sequence[int]) -> None:
    """Raise `TournamentRefusal` unless these people may form an entry; the first of them asks for it.

    Refusals: was_removed, sits_in, was_in_entry.
    """
    returning = departed_entry_of(tournament, people)
    for place, person in enumerate(people):
        own = int(place == 0)
        if was_removed(tournament, person):
            raise TournamentRefusal(TournamentCode.WAS_REMOVED, {"own": own})
        match = open_match_as_substitute(tournament, person)
        if match is not None:
            raise TournamentRefusal(TournamentCode.SITS_IN, {"match": match.id, "own": own})
        known = earlier_entry_of(tournament, person)
        known = known or _entry_of_former_regular(tournament, person)
        if known is not None and known is not returning:
            named = " & ".join(tournament.names.get(one, "?") for one in known.people if one != person)
            raise TournamentRefusal(TournamentCode.WAS_IN_ENTRY, {"entry": known.number, "names": named, "own": own})
