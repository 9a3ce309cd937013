"""The desk's page of what a ruling would change, before it is made."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tournaments.desk.proposing import Does, Preview, Proposal
from bot.tournaments.event.values import Ruling
from bot.tournaments.standings.changing import PlaceChange, ReversedResult
from cogs.shared.door.components import DANGER, Page, Part, buttons
from cogs.shared.telling import names
from cogs.tournament import wording
from cogs.tournament.desk.desk_forms import REASON, SCORES, held
from cogs.tournament.desk.look import DeskView, framed
from cogs.tournament.desk.typed_rulings import written


def preview_page(look: DeskView, proposal: Proposal, found: Preview) -> Page:
    """What is proposed for a match that is over, what follows from it, and the button that does it."""
    match = look.tournament.match(proposal.match)
    typed = written(proposal.scores) if proposal.scores else written([proposal.points]) if proposal.points else ""
    holding: list[Part | None] = [held(SCORES, typed) if typed else None, held(REASON, proposal.reason)]
    sides = "".join(str(side) for side in proposal.sides) or "none"
    act = look.button("desk_do", match.id, proposal.does.value, sides, style=DANGER)
    lines = [look.words(f"desk_ruled.{proposal.does.value}"), *consequences(look, found)]
    row = buttons(act, look.back("desk_of_match", match.id))
    return framed(look, f"**{look.table(match)}**", lines, *holding, row)


def undo_page(look: DeskView, ruling: Ruling, found: Preview) -> Page:
    """What follows from taking a ruling back, and the button that does it."""
    lines = [ruling_line(look, ruling), *consequences(look, found)]
    row = buttons(look.button("desk_undone", ruling.number, style=DANGER), look.back("desk_log", 0))
    return framed(look, look.words("desk.undo_title"), lines, row)


def ruling_line(look: DeskView, ruling: Ruling) -> str:
    """A ruling in one line."""
    words, tournament = look.words, look.tournament
    if ruling.match is not None:
        about = look.table(tournament.match(ruling.match))
    else:
        about = wording.entry(words, tournament, ruling.entry or 0)
    return words(
        "desk.ruling",
        what=words(f"desk_ruled.{ruling.what.value}"),
        about=about,
        by=wording.person(words, tournament, ruling.by),
        reason=names.shown(ruling.reason, longest=300),
    )


def consequences(look: DeskView, found: Preview) -> list[str]:
    """What a ruling changes, in words: results, places, and what stays as it is."""
    words = look.words
    told = [*(turned_line(look, one) for one in found.changes.turned)]
    places = _places(found.changes.moved)
    if places:
        told.append(words("desk.places", count=len(found.changes.moved), places=places))
    lines = [f"**{'; '.join(told)}**" if told else words("desk.changes_nothing")]
    if found.voided:
        tables = [str(look.tournament.match(one).table) for one in found.voided]
        lines.append(words("desk.voids", count=len(tables), tables=", ".join(tables)))
    lines += [words("desk.played_again", table=look.tournament.match(one).table) for one in found.again]
    if found.called:
        lines.append(words("desk.keep_pairings"))
    if found.redrawn is not None:
        lines.append(words("desk.drawn_anew", round=found.redrawn))
    return lines


def turned_line(look: DeskView, turned: ReversedResult) -> str:
    """How a match ends then: who beats whom, that they tie, or that it does not count."""
    names = [wording.entries(look.words, look.tournament, group) for group in turned.groups]
    if not names:
        match = look.tournament.match(turned.match)
        return look.words("desk.counts_not", table=match.table)
    if len(names) == 1:
        return look.words("desk.ties", names=names[0])
    return look.words("desk.beats", first=names[0], second=", ".join(names[1:]))


def _places(moved: Sequence[PlaceChange]) -> str:
    """The places that change, runs of them as a range: "2–3, 7"."""
    places = sorted({place for one in moved for place in (one.before, one.after) if place is not None})
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def proposal_of(does: str, match: int, sides: str, *, scores: tuple[tuple[int, ...], ...], reason: str) -> Proposal:
    """The proposal that a page holds. Raises `ValueError` for a name of none."""
    kind = Does(does)
    return Proposal(
        does=kind,
        match=match,
        scores=scores if kind is Does.ADJUST else (),
        points=scores[0] if kind is Does.POINTS else (),
        sides=() if sides == "none" else tuple(int(side) for side in sides),
        reason=reason,
    )
