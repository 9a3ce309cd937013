"""Demands of themes in the variants, written from `docs/rules/themes.md` and not from the engine.

The conditions of a theme are read from the rule set like parameters; whether they hold, and what they forbid, is
decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.rules.themes.conditions import Condition
from tests.support.variant_melds import BLACK, DEUCE, RUN, SET, WILD, LaidMeld, Position, kind_of_canasta, rank_of


def active_conditions(position: Position, kind: str) -> Iterator[Condition]:
    """Yield the conditions of one kind that hold now for the seat in turn."""
    for theme in position.laws.theme:
        for condition in theme.turns[(position.deal - 1) % len(theme.turns)]:
            if condition.what == kind and not _is_condition_over(position, condition):
                yield condition


def _is_condition_over(position: Position, condition: Condition) -> bool:
    return {
        "never": False,
        "opened": position.opened,
        "canasta": any(_is_canasta_of_kind(one, condition.canasta) for one in position.canastas),
        "turn": position.turns // position.seats + 1 >= condition.number,
        "deal": position.deal >= condition.number,
    }[condition.until]


def _is_canasta_of_kind(canasta: LaidMeld, kind: str) -> bool:
    """Return whether the canasta has that kind; a run, or one of wild cards, is neither natural nor mixed."""
    return kind == "any" or (canasta.kind == SET and kind_of_canasta(canasta) == kind)


def ranks_of(position: Position, condition: Condition) -> tuple[str, ...]:
    """Return the ranks that a condition concerns for the seat in turn; ``0`` means jokers."""
    ranks = condition.ranks
    if condition.by_seat:
        ranks = (ranks[position.seat % len(ranks)],)
    return tuple("0" if rank == "JK" else rank for rank in ranks)


def _is_meld_of(meld: LaidMeld, ranks: tuple[str, ...]) -> bool:
    """Return whether the meld is of one of these ranks.

    A run is of no rank; without ranks, any meld will do.
    """
    if not ranks:
        return True
    return ("run" if meld.kind == RUN else "wild" if meld.kind in (WILD, DEUCE) else meld.rank) in ranks


# --- laying ----------------------------------------------------------------------------------------------------------


def may_lay_cards(before: Position, after: Position, cards: tuple[str, ...]) -> bool:
    """Return whether themes allow these cards to be laid, and the canastas that result.

    Nothing is added to a meld of a forbidden rank, not even a wild card.
    """
    if not before.laws.theme:
        return True
    banned = {rank for condition in active_conditions(before, "no_meld") for rank in ranks_of(before, condition)}
    if before.opening:
        banned |= {
            rank for condition in active_conditions(before, "open_without") for rank in ranks_of(before, condition)
        }
    lying = {one.name: one.size for one in before.melds}
    joined = [one.rank for one in after.melds if one.kind == SET and one.size > lying.get(one.name, 0)]
    if cards and banned & {*joined, *map(rank_of, cards)}:
        return False
    finished = [one.name for one in before.canastas]
    made = [one for one in after.canastas if one.name not in finished and one.kind != BLACK]
    return not any(_is_canasta_barred(before, one) for one in made)


def _is_canasta_barred(before: Position, made: LaidMeld) -> bool:
    """Return whether a theme forbids the canasta that was made, or demands another one first."""
    if any(_is_meld_of(made, ranks_of(before, condition)) for condition in active_conditions(before, "no_canasta")):
        return True
    return any(
        not _is_meld_of(made, ranks_of(before, condition))
        and not any(_is_meld_of(one, ranks_of(before, condition)) for one in before.canastas)
        for condition in active_conditions(before, "canasta_first")
    )


def has_required_opening(position: Position) -> bool:
    """Return whether the initial meld has a meld of the required ranks."""
    return all(
        any(_is_meld_of(meld, ranks_of(position, condition)) for meld in position.melds)
        for condition in active_conditions(position, "open_with")
    )


# --- the pile, discards, the end -------------------------------------------------------------------------------------


def may_take_pile(position: Position) -> bool:
    """Return whether the themes allow the pile to be taken."""
    return not any(active_conditions(position, "no_pile"))


def ranks_kept_from_discard(position: Position) -> set[str]:
    """Return the ranks that may not be discarded as long as the hand has another rank."""
    kept = {rank for condition in active_conditions(position, "no_discard") for rank in ranks_of(position, condition)}
    if position.froze and any(active_conditions(position, "freeze_once")):
        kept |= {"2", "0"}
    return kept


def may_go_out(position: Position) -> bool:
    """Return whether themes let the side go out with its melds.

    A side that opens by going out needs the required ranks too.
    """
    if any(active_conditions(position, "no_out")) or (not position.opened and not has_required_opening(position)):
        return False
    return all(
        sum(
            _is_meld_of(one, ranks_of(position, condition)) and _is_canasta_of_kind(one, condition.canasta)
            for one in position.canastas
        )
        >= max(1, condition.number)
        for condition in active_conditions(position, "out_with")
    )


def has_won(position: Position) -> bool:
    """Return whether the side's canastas win the game at once, by a theme or by `auto_win`."""
    if position.laws.auto_win == "7_canastas" and len(position.canastas) >= 7:
        return True
    return any(
        _is_meld_of(one, ranks_of(position, condition)) and _is_canasta_of_kind(one, condition.canasta)
        for condition in active_conditions(position, "wins_with")
        for one in position.canastas
    )
