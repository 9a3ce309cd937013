"""What a player lays beside sets of one rank: runs, wild cards alone, melds laid together (`rules/variants.md 3`).

Every step a seat may take leaves a lawful way on, so here it is only a question of what pays: a run that may become
a canasta, wild cards where a canasta of them counts most, and everything when the seat goes out.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.computer.habits import Habits
from bot.computer.situation import Situation
from bot.engine.actions import Combine, LayRun, Meld, Step, Take
from bot.engine.cards import ACE, BLACK_THREE, JOKER, TWO
from bot.engine.places import DEUCE_MELD, WILD_MELD, is_run

Steps = tuple[Step, ...]


def take_apart(situation: Situation, legal: Steps) -> Take | None:
    """Take the pile onto a run, onto one of several melds, or with three naturals, where that is possible."""
    takes = [step for step in legal if isinstance(step, Take) and (step.onto is not None or step.naturals > 2)]
    if not takes or not situation.pile.cards:
        return None
    return max(takes, key=lambda take: (take.onto is not None and is_run(take.onto), -take.naturals))


def lay_apart(situation: Situation, habits: Habits, legal: Steps, *, keep: int) -> Step | None:
    """The next thing to lay that is no set, while at least `keep` cards stay in hand; None where nothing pays."""
    together = next((step for step in legal if isinstance(step, Combine) and _pays_together(situation, step)), None)
    if together is not None:
        return together
    runs = [step for step in legal if isinstance(step, LayRun) and situation.held - step.size >= keep]
    if runs and situation.rules.bonus_seq:
        return max(runs, key=lambda step: (_lies(situation, step.place), step.size))
    wild = [step for step in _wild_melds(legal) if situation.held - step.size >= keep]
    if wild and _wild_pays(situation, habits):
        return max(wild, key=lambda step: step.size)
    return None


def _pays_together(situation: Situation, step: Combine) -> bool:
    """Two unfinished melds are better one, unless a pure one that has come far would be spoiled."""
    by_place = {meld.place: meld for meld in situation.mine.melds}
    moved, onto = by_place.get(step.place), by_place.get(step.onto)
    if moved is None or onto is None:
        return False
    spoils = (not onto.wilds and onto.size >= 5 and moved.wilds) or (not moved.wilds and moved.size >= 5 and onto.wilds)
    return not spoils


def _lies(situation: Situation, place: int) -> bool:
    return any(meld.place == place for meld in situation.mine.melds)


def _wild_melds(legal: Iterable[Step]) -> list[Meld]:
    return [step for step in legal if isinstance(step, Meld) and step.kind in (WILD_MELD, DEUCE_MELD)]


def wild_meld_lies(situation: Situation) -> bool:
    """Whether the side has begun a meld of wild cards and not finished it: further ones belong there."""
    return any(meld.kind in (WILD_MELD, DEUCE_MELD) and meld.canasta is None for meld in situation.mine.melds)


def _wild_pays(situation: Situation, habits: Habits) -> bool:
    """Whether wild cards are worth more among themselves: many are there already, and an unfinished meld is no loss."""
    rules = situation.rules
    if wild_meld_lies(situation):
        return True
    best = max([points for _, points in rules.bonus_wild], default=0)
    if best <= rules.bonus_natural:
        return False
    risky = rules.wild_lock != "none" or any(word.startswith("wild") for word, _ in rules.incomplete_penalty)
    return situation.wilds >= (habits.wild_meld_at_risk if risky else habits.wild_meld_from)


def open_apart(legal: Steps) -> Step | None:
    """A first meld by any way the rules have: what costs the fewest wild cards and lays the most."""
    laying = [step for step in legal if isinstance(step, Meld | LayRun)]
    return max(laying, key=_cheapness, default=None)


def lay_everything(legal: Steps) -> Step | None:
    """In going out: the most cards at once, wild cards late."""
    laying = [step for step in legal if isinstance(step, Meld | LayRun)]
    return max(laying, key=_cheapness, default=None)


def _cheapness(step: Meld | LayRun) -> tuple[bool, int, int]:
    if isinstance(step, LayRun):
        return True, 0, step.size
    wilds = step.twos + step.jokers
    return step.kind != BLACK_THREE, -wilds, step.size


def at_its_place(step: Meld, legal: Steps) -> Meld | None:
    """The same cards at the place where they may be laid, where a side has several melds of a rank."""
    if step in legal:
        return step
    alike = (
        other
        for other in legal
        if isinstance(other, Meld)
        and other.kind == step.kind <= ACE
        and (other.naturals, other.twos, other.jokers) == (step.naturals, step.twos, step.jokers)
    )
    return next(alike, None)


def run_worth(situation: Situation, kind: int) -> float:
    """How many cards of a rank, on average, stand beside others of their suit, where the rules have runs."""
    if not situation.rules.bonus_seq or kind in (TWO, JOKER):
        return 0.0
    hand = set(situation.view.hand)
    cards = [card for card in hand if card >> 2 == kind]
    if not cards:
        return 0.0
    beside = sum((card - 4 in hand) + (card + 4 in hand) + (card - 8 in hand) + (card + 8 in hand) for card in cards)
    at_ends = sum(
        1
        for card in cards
        for meld in situation.mine.melds
        if is_run(meld.place) and meld.canasta is None and card in (meld.cards[0] - 4, meld.cards[-1] + 4)
    )
    return (beside + 3 * at_ends) / len(cards)
