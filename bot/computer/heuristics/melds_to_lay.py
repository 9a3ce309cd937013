"""Choose melds in rules with runs or wild melds: the step that raises the side's prospects most.

Each step is weighed by the change of prospects (`bot.computer.heuristics.prospects`). In these rules the module also
chooses ways to take the pile, and wild cards to take back from a canasta.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.computer.heuristics.habits import Habits
from bot.computer.heuristics.prospects import Prospects
from bot.computer.heuristics.situation import Situation
from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, Card
from bot.engine.cards.meld_places import DEUCE_MELD, RUN, WILD_MELD, is_run
from bot.engine.melds.table_meld import cards_wanted_by, pick_cards, without_cards
from bot.engine.moves.actions import Combine, LayRun, Meld, Reclaim, Step, Take
from bot.engine.rules.rule_set import number_in_deal

Steps = tuple[Step, ...]

WILD_FAMILIES = (WILD_MELD, DEUCE_MELD)


class StepWeigher:
    """Weighs the steps of one choice by the points they are expected to bring."""

    def __init__(self, situation: Situation, habits: Habits) -> None:
        self._situation = situation
        self._habits = habits
        self.prospects = Prospects(situation, habits)
        self._by_place = {meld.place: meld for meld in situation.mine.melds}
        self._hand = situation.view.hand
        self._runs_now = self.prospects.value_of_all_runs(self._hand)
        self._chance_of_deal_ending = _chance_of_deal_ending(situation, habits)

    # --- weighing melds ----------------------------------------------------------------------------------------------

    def best_step(self, legal: Steps, *, keep: int, least_gain: float = 0.0) -> Step | None:
        """Return the step with the highest gain among those that keep `keep` cards in hand.

        None if no step gains more than `least_gain`.
        """
        best: tuple[float, Step] | None = None
        for step in legal:
            if isinstance(step, Combine):
                gain = 1.0 if self._is_merger_good(step) else 0.0
            elif (
                isinstance(step, Meld | LayRun)
                and self._situation.held - step.size >= keep
                and self._is_worth_weighing(step)
            ):
                gain = self.gain_of(step)
            else:
                continue
            if gain > least_gain and (best is None or gain > best[0]):
                best = gain, step
        return best[1] if best is not None else None

    def gain_of(self, step: Meld | LayRun) -> float:
        """Return a step's gain: the change in prospects and in the points of cards left in hand."""
        after = self._hand_after_step(step)
        gain = (
            self.prospects.value_of_all_runs(after) - self._runs_now
            if not isinstance(step, LayRun)
            else self._run_gain(step, after)
        )
        if isinstance(step, Meld):
            gain += self._wild_meld_gain(step) if step.kind in WILD_FAMILIES else self._set_gain(step)
        return gain + self._value_at_end(step, after) + self._gain_of_foot(step)

    def _gain_of_foot(self, step: Meld | LayRun) -> float:
        """Return the value of a step that completes the canasta needed to pick up the seat's foot."""
        situation = self._situation
        if situation.rules.foot_pickup != "first_canasta" or not situation.view.foot_size:
            return 0.0
        lying = self._by_place.get(step.place)
        before = lying.size if lying is not None else 0
        completes = before < situation.rules.canasta_size <= before + step.size
        return self._habits.foot_taken * completes

    def is_likely_to_stay_unfinished(self, step: Meld | LayRun) -> bool:
        """Return whether a step begins a meld that costs points and will probably stay unfinished."""
        if isinstance(step, LayRun) or not self._habits.begin_chance or step.place in self._by_place:
            return False
        wild = step.kind in WILD_FAMILIES
        held = self._situation.wilds if wild else self._situation.counts[step.kind]
        pure = wild or not step.twos + step.jokers
        return (
            pure and self.prospects.chance_to_finish(step.kind, step.size, held - step.size) < self._habits.begin_chance
        )

    def _is_worth_weighing(self, step: Meld | LayRun) -> bool:
        """Return whether a meld is worth weighing.

        It is not if it begins a costly meld rashly, lays a joker while a two is left, or wastes wild cards.
        """
        if self.is_likely_to_stay_unfinished(step):
            return False
        if isinstance(step, LayRun) or step.kind in WILD_FAMILIES or not step.twos + step.jokers:
            return True
        if step.jokers and step.twos < self._situation.counts[TWO]:
            return False
        ends_soon = self._chance_of_deal_ending >= self._habits.out_soon
        if not self._situation.opened or self._situation.view.foot_size or ends_soon:
            return True
        lying = self._by_place.get(step.place)
        size = step.size + (lying.size if lying is not None else 0)
        lent = self._habits.lend_wilds if self._situation.canastas_missing else 0
        lent = min(lent, step.twos + step.jokers) if lying is not None else 0
        return size + min(1, lent) >= self._situation.rules.canasta_size

    def _hand_after_step(self, step: Meld | LayRun) -> tuple[Card, ...]:
        """Return the hand after the step."""
        cards = step.cards if isinstance(step, LayRun) else pick_cards(self._hand, cards_wanted_by(step, step.kind))
        return without_cards(self._hand, cards)

    def _value_at_end(self, step: Meld | LayRun, after: Sequence[Card]) -> float:
        """Return the value of the melded cards if the deal ends soon, less the cost of a short hand."""
        values = self._situation.values
        points = sum([values[card >> 2] for card in self._hand]) - sum([values[card >> 2] for card in after])
        value = 2 * points * self._chance_of_deal_ending
        if self._situation.view.foot_size:
            return value + self._habits.foot_card * step.size
        short = max(0, self._habits.hand_kept - len(after)) - max(0, self._habits.hand_kept - len(self._hand))
        return value - self._habits.short_hand * short * bool(self._situation.canastas_missing)

    def _set_gain(self, step: Meld) -> float:
        """Return the gain of laying or extending a set, less the value of its wild cards elsewhere."""
        if step.kind == BLACK_THREE:
            return 0.0
        prospects = self.prospects
        held = self._situation.counts[step.kind]
        lying = self._by_place.get(step.place)
        naturals, wilds = (lying.naturals, lying.wilds) if lying is not None else (0, 0)
        used = step.twos + step.jokers
        before = prospects.value_of_rank(step.kind, naturals, wilds, held, lies=lying is not None)
        after = prospects.value_of_rank(
            step.kind, naturals + step.naturals, wilds + used, held - step.naturals, lies=True
        )
        return after - before - self._cost_of_wilds(step)

    def _cost_of_wilds(self, step: Meld) -> float:
        """Return the value that the step's wild cards would have in other melds."""
        used = step.twos + step.jokers
        if not used:
            return 0.0
        spent = step.twos * self._habits.two_spent + step.jokers * self._habits.joker_spent
        if not self._situation.rules.meld_kinds.isdisjoint({"wild", "deuce"}):
            laid = self._size_of_largest_unfinished_wild_meld()
            wilds = self._situation.wilds
            family = WILD_MELD if "wild" in self._situation.rules.meld_kinds else DEUCE_MELD
            spent += self.prospects.value_of_wild_meld(family, laid, wilds) - self.prospects.value_of_wild_meld(
                family, laid, wilds - used
            )
        return spent

    def _size_of_largest_unfinished_wild_meld(self) -> int:
        """Return the size of the largest unfinished meld of wild cards on the table."""
        unfinished = (meld for meld in self._by_place.values() if meld.kind in WILD_FAMILIES and meld.canasta is None)
        return max([meld.size for meld in unfinished], default=0)

    def _wild_meld_gain(self, step: Meld) -> float:
        """Return the gain of laying or extending a meld of wild cards."""
        lying = self._by_place.get(step.place)
        laid = lying.size if lying is not None else 0
        wilds = self._situation.wilds
        before = self.prospects.value_of_wild_meld(step.kind, laid, wilds)
        after = self.prospects.value_of_wild_meld(step.kind, laid + step.size, wilds - step.size)
        if lying is not None:
            return after - before
        binds = self._habits.wild_lock if self._situation.rules.wild_lock != "none" else 0.0
        return after - before - self._habits.wild_card_alone * step.size - binds

    def _run_gain(self, step: LayRun, after: Sequence[Card]) -> float:
        """Return the gain of laying or extending a run, less the value of its cards in sets."""
        prospects = self.prospects
        suit = step.place - RUN & 3
        lying = self._by_place.get(step.place)
        hand = frozenset(after)
        low, high = step.low, step.high
        if lying is not None:
            low, high = min(low, lying.cards[0] >> 2), max(high, lying.cards[-1] >> 2)
        gain = prospects.value_of_run(suit, low, high, hand, lies=True) - prospects.value_of_single_run(
            suit, self._hand, lying
        )
        for kind in range(step.low, step.high + 1):
            gain -= self._loss_to_set_without_card(kind)
        return gain

    def _loss_to_set_without_card(self, kind: int) -> float:
        """Return the loss in a set's expected value if one held card of that rank is used elsewhere."""
        held = self._situation.counts[kind]
        lying = self._situation.own.get(kind)
        naturals, wilds = (lying.size - lying.wilds, lying.wilds) if lying is not None else (0, 0)
        lies = lying is not None
        before = self.prospects.value_of_rank(kind, naturals, wilds, held, lies=lies)
        return before - self.prospects.value_of_rank(kind, naturals, wilds, held - 1, lies=lies)

    def _is_merger_good(self, step: Combine) -> bool:
        """Return whether it is good to merge these two melds.

        It is not if that adds wild cards to a long natural meld.
        """
        moved, onto = self._by_place.get(step.place), self._by_place.get(step.onto)
        if moved is None or onto is None:
            return False
        spoils = (not onto.wilds and onto.size >= 5 and moved.wilds) or (
            not moved.wilds and moved.size >= 5 and onto.wilds
        )
        return not spoils

    # --- weighing ways to take the pile, and discards ----------------------------------------------------------------

    def best_take(self, legal: Steps) -> Take | None:
        """Return the best way to take the pile if it is better than drawing."""
        takes = [step for step in legal if isinstance(step, Take)]
        if not takes or self._situation.pile.top is None:
            return None
        best = max(takes, key=self._take_gain)
        return best if self._take_gain(best) > 0 else None

    def _take_gain(self, step: Take) -> float:
        """Return the gain of taking the pile instead of drawing, with its cards and without the cards used."""
        situation, habits = self._situation, self._habits
        top = situation.pile.top
        if top is None:
            return 0.0
        kind = top >> 2
        size = situation.pile.cards
        rules, deal = situation.rules, situation.view.table.deal
        taken = size if rules.pile_take is None else min(size, number_in_deal(rules.pile_take, deal))
        gain = habits.taken_card * (taken - number_in_deal(rules.draw, deal)) + habits.take_at_all
        if kind == TWO:  # the top card is taken with the rest, and the shown twos stay in hand
            return gain
        gain -= step.twos * habits.two_spent + step.jokers * habits.joker_spent
        if step.onto is not None and is_run(step.onto):
            meld = self._by_place[step.onto]
            low, high = min(kind, meld.cards[0] >> 2), max(kind, meld.cards[-1] >> 2)
            hand = frozenset(self._hand)
            grown = self.prospects.value_of_run(top & 3, low, high, hand, lies=True)
            return (
                gain
                + grown
                - self.prospects.value_of_run(top & 3, meld.cards[0] >> 2, meld.cards[-1] >> 2, hand, lies=True)
            )
        held = situation.counts[kind]
        onto = self._by_place.get(kind if step.onto is None else step.onto)
        naturals, wilds = (onto.naturals, onto.wilds) if onto is not None else (0, 0)
        used = step.twos + step.jokers
        before = self.prospects.value_of_rank(kind, naturals, wilds, held, lies=onto is not None)
        left = held - step.naturals + situation.below[kind]
        after = self.prospects.value_of_rank(kind, naturals + step.naturals + 1, wilds + used, left, lies=True)
        return gain + after - before

    def loss_if_discarded(self, kind: int) -> float:
        """Return the loss of prospects if a card of that kind is discarded."""
        card = next(card for card in self._hand if card >> 2 == kind)
        if kind in (TWO, JOKER):
            rules = self._situation.rules
            if rules.meld_kinds.isdisjoint({"wild", "deuce"}):
                return 0.0
            family = WILD_MELD if "wild" in rules.meld_kinds else DEUCE_MELD
            laid, wilds = self._size_of_largest_unfinished_wild_meld(), self._situation.wilds
            return self.prospects.value_of_wild_meld(family, laid, wilds) - self.prospects.value_of_wild_meld(
                family, laid, wilds - 1
            )
        if kind > ACE:
            return 0.0
        left = list(self._hand)
        left.remove(card)
        return self._loss_to_set_without_card(kind) + self._runs_now - self.prospects.value_of_all_runs(left)


def _chance_of_deal_ending(situation: Situation, habits: Habits) -> float:
    """Return the probability that the deal ends before the seat's next turn."""
    if situation.is_last_turn:
        return 1.0
    if situation.may_opponents_go_out:
        return habits.out_soon if situation.fewest_against <= habits.hurry_at else habits.out_later
    return habits.out_never


def cheapest_meld(legal: Iterable[Step]) -> Step | None:
    """Return the meld with the fewest wild cards, of equal ones the largest.

    Black threes are chosen only if there is no other meld.
    """
    laying = [step for step in legal if isinstance(step, Meld | LayRun)]
    return max(laying, key=_cheapness_key, default=None)


def _cheapness_key(step: Meld | LayRun) -> tuple[bool, int, int]:
    """Return a sort key for melds that is greatest for the cheapest one."""
    if isinstance(step, LayRun):
        return True, 0, step.size
    return step.kind != BLACK_THREE, -(step.twos + step.jokers), step.size


def reclaiming_step(situation: Situation, legal: tuple[Step, ...]) -> Reclaim | None:
    """Return a step that takes wild cards back from a canasta, or None.

    None too if going out may need that canasta to be mixed.
    """
    if any(kind == "mixed" for kind, _ in situation.rules.out_need):
        return None
    return next((step for step in legal if isinstance(step, Reclaim)), None)
