"""Rules in which melds have limits: which the rollout world can play, and their numbers in a form."""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import RANKS, Form
from bot.engine.cards.cards import RANK_LETTERS
from bot.engine.rules.rule_set import RuleSet

_UNFINISHED: Final = (("A", -2500), ("7", -2500), ("wild", -2000))

LIMITED: Final[dict[str, tuple[object, ...]]] = {
    "upcard": (True, False),
    "discard_bans": (frozenset(), frozenset({"black3_first_round"}), frozenset({"threes", "wilds", "swad"})),
    "wild_gate": (0, 5),
    "wild_lock": ("none", "all"),
    "no_wild_ranks": (frozenset(), frozenset({"7"})),
    "open_wild_ranks": (frozenset(), frozenset({"A"})),
    "dead_ranks": (False, True),
    "black3_meld": ("go_out", "never"),
    "black3_role": ("stopper", "bonus"),
    "black3_in_pile": ("hand", "set_aside"),
    "open_shape": ("any", "clean3", "clean3_or_wild"),
    "open_pile": ("yes", "hand_first"),
    "open_count_top": (True, False),
    "talon": ((), (4, 3)),
    "talon_with_pile": (False,),
    "top_blocks": (frozenset({"W", "B3"}), frozenset({"W"})),
    "pile_frozen": ("always",),
    "take_pair_canasta": (True,),
    "draw_with_pile": (0,),
    "out_need": ((),),
    "incomplete_penalty": ((), _UNFINISHED, (*_UNFINISHED, ("wild_4_jokers", -2500))),
    "card_points": ("net", "swing"),
    "out_discard": ("optional", "mandatory"),
    "out_clean": (False, True),
    "wild_on_canasta": ("to_max", "never"),
    "stock_end": ("pile_play", "one_more", "stop"),
    "last_three": (None, -5),
}
"""Parameter values that the rollout world can play where melds are full as canastas, in place of the plain ones."""


def has_playable_limits(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules, as far as the limits on melds are concerned."""
    if rules.meld_max != rules.canasta_size or rules.foot_size:
        return False
    if rules.ask_partner == "mandatory" or not rules.open_waiver <= {"concealed", "splash"}:
        return False
    together = (rules.red3_sign == "swing") == (rules.card_points == "swing")
    return together and all(getattr(rules, name) in values for name, values in LIMITED.items())


def set_limits(form: Form, rules: RuleSet) -> None:
    """Set the form's numbers that concern limits on melds or feet."""
    form.full = rules.meld_max == rules.canasta_size
    form.careful = form.full or rules.foot_size > 0
    form.blacks_out = rules.black3_role == "bonus"
    form.blacks_signed = form.blacks_out
    form.blacks_leave = form.blacks_out or rules.black3_in_pile == "set_aside"
    form.black_values = [0, *rules.black3_values] if form.blacks_leave else []
    form.blacks_kept_first_round = "black3_first_round" in rules.discard_bans
    form.swing = rules.card_points == "swing"
    form.dead_ranks = rules.dead_ranks
    form.wild_gate = rules.wild_gate
    form.wild_lock = rules.wild_lock == "all"
    letters = RANK_LETTERS[:RANKS]
    form.takes_wilds = [letter not in rules.no_wild_ranks for letter in letters]
    form.takes_wilds_later = [letter not in rules.no_wild_ranks | rules.open_wild_ranks for letter in letters]
    form.clean_opening = rules.open_shape != "any"
    form.strict_wilds = form.wild_lock or form.clean_opening or form.wild_gate > 0 or not all(form.takes_wilds_later)
    form.closed_unopened = rules.open_pile != "yes"
    form.talon, form.talon_stock = list(rules.talon), rules.talon_stock
    form.keeps_wilds = "wilds" in rules.discard_bans
    form.bans_on_empty_pile = "swad" in rules.discard_bans
    costs = {str(name): -points for name, points in rules.incomplete_penalty}
    form.must_finish = [costs.get(letter, 0) for letter in letters]
    form.wild_cost = costs.get("wild", 0)
    form.wild_cost_with_jokers = costs.get("wild_4_jokers", form.wild_cost)
    form.out_clean = rules.out_clean
    form.must_discard = rules.out_discard == "mandatory"
    form.last_three = -1 if rules.last_three is None else -rules.last_three
