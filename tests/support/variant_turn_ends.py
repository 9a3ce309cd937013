"""Initial melds and ends of turns in the variants, written from `docs/law/variants.md`.

The ends of turns are going out, feet and bonus cards after the turn, and legal discards.
"""

from __future__ import annotations

from tests.support import variant_themes as themes
from tests.support.variant_melds import (
    BLACK,
    RUN,
    SET,
    UNKNOWN,
    WILD,
    Position,
    closed_ranks,
    kind_of_canasta,
    rank_of,
)

# --- the initial meld ------------------------------------------------------------------------------------------------


def has_opened(position: Position) -> bool:
    """Return whether the turn's melds are a complete initial meld (3.3, 3.10).

    They need points or what the rules accept in their place, a shape, and the ranks of a theme.
    """
    return _has_enough_points(position) and has_required_shape(position) and themes.has_required_opening(position)


def _has_enough_points(position: Position) -> bool:
    laws, kinds = position.laws, [kind_of_canasta(meld) for meld in position.canastas]
    if "splash" in laws.open_waiver and _has_splash(position):
        return True
    if "first_canasta_top" in laws.open_waiver and any(one.name == position.topped for one in position.canastas):
        return True
    if laws.open_shape == "br_ladder" and position.score >= 7000:
        if position.score >= 9000:
            return any(kind != "mixed" for kind in kinds)
        return bool(kinds) and (position.score < 8000 or position.laid >= 200)
    return position.laid >= position.minimum


def has_required_shape(position: Position) -> bool:
    """Return whether the initial meld has the required shape (3.10).

    That is three naturals of a rank, in some rules wild cards alone. No mixed canasta may be among them. The top card
    is not one of the three where it does not count. Where a complete canasta opens a side, it is enough.
    """
    shape = position.laws.open_shape
    if shape not in ("clean3", "clean3_or_wild"):
        return True
    if any(kind_of_canasta(one) == "mixed" for one in position.canastas):
        return False
    if "splash" in position.laws.open_waiver and _has_splash(position):
        return True
    if shape == "clean3_or_wild" and any(one.kind == WILD for one in position.melds):
        return True
    sets = [one for one in position.melds if one.kind == SET and not one.wilds]
    top = "" if position.laws.open_count_top else position.topped
    return any(one.naturals - (one.name == top) >= 3 for one in sets)


def _has_splash(position: Position) -> bool:
    return any(one.kind in (SET, WILD) and kind_of_canasta(one) != "mixed" for one in position.canastas)


# --- the end of the turn ---------------------------------------------------------------------------------------------


def is_barred_from_going_out(position: Position) -> bool:
    """Return whether the side cannot go out in this turn, whatever it melds."""
    laws = position.laws
    before = laws.out_canastas_before and not position.ready
    threes = position.red_threes < laws.out_red_threes * max(1, laws.out_canastas)
    return before or threes or position.foot or position.gate or any(themes.active_conditions(position, "no_out"))


def may_go_out(position: Position) -> bool:
    """Return whether all conditions for going out are met, except that the hand is empty."""
    laws = position.laws
    spoken = laws.out_announce or (laws.ask_partner == "mandatory" and position.partner)
    if position.permission is False or (spoken and not position.permission):
        return False
    if laws.out_canastas_before and not position.ready:
        return False  # the canastas must be there before the turn (`docs/law/classic.md H45`)
    if position.foot or position.gate or not themes.may_go_out(position):
        return False
    if not position.opened and not (position.drew == "stock" and "concealed" in laws.open_waiver):
        return False
    if laws.out_clean and _has_unfinished_special_melds(position):
        return False
    if position.opening and not has_required_shape(position):
        return False
    return _has_enough_canastas(position)


def _has_unfinished_special_melds(position: Position) -> bool:
    """Return whether a meld of natural aces, natural sevens or wild cards is no canasta yet (3.10)."""
    return any(
        one.size < position.laws.canasta_size and (one.kind == WILD or (one.rank in ("A", "7") and not one.wilds))
        for one in position.melds
    )


def _has_enough_canastas(position: Position) -> bool:
    laws = position.laws
    kinds = [(kind_of_canasta(one), one.rank == "7" and one.kind == SET) for one in position.canastas]
    counting = [kind for kind, _ in kinds if kind not in laws.out_excludes]
    if position.red_threes < laws.out_red_threes * laws.out_canastas:
        return False  # a red three is needed for each canasta that going out needs (3.13)
    return len(counting) >= laws.out_canastas and _has_needed_canastas(dict(laws.out_need), tuple(kinds))


def _has_needed_canastas(need: dict[str, int], canastas: tuple[tuple[str, bool], ...]) -> bool:
    """Return whether `canastas` has as many of each kind as `need` says; each counts only once (3.12)."""
    wanted = next((kind for kind, count in need.items() if count), None)
    if wanted is None:
        return True
    fewer = {**need, wanted: need[wanted] - 1}
    for number, (kind, sevens) in enumerate(canastas):
        serves = sevens if wanted == "7" else kind == wanted
        if serves and _has_needed_canastas(fewer, canastas[:number] + canastas[number + 1 :]):
            return True
    return False


def can_end_or_go_out_now(position: Position) -> tuple[bool, bool]:
    """Return whether the turn can end now without going out, and whether it can end by going out.

    A canasta that wins the game ends the turn at once, whatever the hand holds; a seat that could also go out may still
    announce that.
    """
    laws, held = position.laws, len(position.hand)
    won = position.opened and themes.has_won(position)
    if position.aside:
        return won, False
    discards = held == 1 and laws.out_discard != "forbidden" and may_be_last_discard(position, position.hand[0])
    last = discards or (held == 0 and laws.out_discard != "mandatory")
    grown = any(one.kind == RUN and one.size > laws.canasta_size for one in position.melds)
    laid_out = bool(position.melds_of(BLACK, "3"))
    enough = not position.touched or (position.opened and (not position.opening or has_required_shape(position)))
    stays = _has_cards_to_keep(position) and enough and not grown and not laid_out
    return won or stays, last and may_go_out(position)


def _has_cards_to_keep(position: Position) -> bool:
    """Return whether the hand has a card to discard and one to keep, or gets more cards (`1.15`).

    A foot comes when the hand is empty, after the last discard or without one, or with the first canasta of its owner
    when the turn is over (3.11, 3.12); bonus cards come after the discard of the turn in which the side has opened
    (3.10).
    """
    held = len(position.hand)
    if position.foot and position.laws.foot_pickup == "hand_empty":
        return True
    if position.foot and len(position.canastas) > position.canastas_before:
        return held >= 1
    return held >= 2 or (
        held == 1 and has_bonus_cards_due(position) and may_be_last_discard(position, position.hand[0])
    )


def has_bonus_cards_due(position: Position) -> bool:
    """Return whether the side gets bonus cards after this turn (3.10).

    It must have opened in this turn, early enough among the sides, and the stock must be large enough. Under some rules
    it may not have taken the pile.
    """
    laws = position.laws
    return (
        position.opening
        and position.opened
        and position.others_opened < len(laws.talon)
        and position.stock >= laws.talon_stock
        and (position.drew == "stock" or laws.talon_with_pile)
    )


def may_be_last_discard(position: Position, card: str) -> bool:
    """Return whether this card may be the last discard (3.10, 3.12).

    An unknown card may be it only if every card may.
    """
    bans = position.laws.discard_bans
    banned = "".join(ranks for ban, ranks in {"7_last": "7", "threes": "3R", "J": "0"}.items() if ban in bans)
    return not banned if card == UNKNOWN else rank_of(card) not in banned


GIVES_WAY = ("theme", "swad", "black3_first_round", "7_until_both", "wilds", "J", "threes")
"""Bans on discards, in the order in which they are lifted if no card is allowed."""


def discardable_ranks(position: Position) -> set[str]:
    """Return the ranks that may be discarded now; bans give way if no rank is left (A.3).

    The last card has its own rule. Penalty cards come first; cards laid apart may not be discarded
    (`docs/law/classic.md 1.22`).
    """
    held = {rank_of(card) for card in position.hand}
    free = set(held)
    if len(position.hand) > 1:
        banned = _banned_ranks(position, held)
        while banned and not held.difference(*banned.values()):
            del banned[next(iter(banned))]
        free = held.difference(*banned.values())
    return free & {rank_of(card) for card in position.exposed} or free


def _banned_ranks(position: Position, held: set[str]) -> dict[str, set[str]]:
    """Return the ranks that each ban forbids to discard, by the name of the ban."""
    bans = {
        "theme": themes.ranks_kept_from_discard(position),
        "swad": set() if position.pile else {"7", "A", "2", "0", *closed_ranks(position)},
        "black3_first_round": {"3"} if position.first_round else set(),
        "7_until_both": set() if position.sevens_of_others and _has_sevens(position) else {"7"},
        "wilds": set() if held <= {"2", "0"} else {"2", "0"},
        "J": {"0"},
        "threes": {"3", "R"},
    }
    return {ban: bans[ban] for ban in GIVES_WAY if ban == "theme" or ban in position.laws.discard_bans}


def _has_sevens(position: Position) -> bool:
    """Return whether the side has a canasta of sevens."""
    return any(one.rank == "7" for one in position.canastas)
