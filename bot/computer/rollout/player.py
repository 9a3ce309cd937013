"""The strong player: plays by fitted numbers, and remembers the cards that all have seen."""

from __future__ import annotations

from bot.computer.chosen_step import Choice, RejectedStep, nearest_rejected_steps
from bot.computer.heuristics.level_player import LevelPlayer
from bot.computer.heuristics.reasons import reason_against, reason_for
from bot.computer.heuristics.rule_of_thumb_player import choice_of_only_step
from bot.computer.heuristics.situation import Situation, would_lose_game
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.rollout.discards import discard_costs
from bot.computer.rollout.engine_conversion import claim_as_step, is_playable, meld_as_step, world_of
from bot.computer.rollout.fitted_numbers import are_fitted_numbers_better, fitted_numbers_for
from bot.computer.rollout.limited.foot_turns import is_whole_hand_laid
from bot.computer.rollout.policy import choose_melds, choose_way_to_take
from bot.computer.rollout.runs.choosing_steps import card_to_discard, next_step_with_runs
from bot.computer.rollout.runs.discards import discard_costs_with_suits
from bot.computer.rollout.world import World
from bot.engine.moves.actions import ASK, DRAW, PASS, Discard, Step, Take
from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView


class StrongPlayer:
    """Plays by fitted numbers where these are better, else by rules of thumb; remembers cards."""

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        """Return the player's choice for its turn; the step is always one of `view.legal`."""
        if len(view.legal) == 1:
            return choice_of_only_step(view)
        if not can_rollout_player_decide(view, memory) or not are_fitted_numbers_better(view.table.rules):
            return _choose_by_rules_of_thumb(view, memory)
        situation = Situation(view, memory)
        world, numbers = world_of(view, memory), fitted_numbers_for(view.table.rules, len(view.table.sides))
        step = next_step(world, numbers, situation)
        if step is None or step not in view.legal:
            return _choose_by_rules_of_thumb(view, memory)
        told = reason_for(situation, step)
        if not isinstance(step, Discard):
            return Choice(step, *told)
        costs, suits = (
            (discard_costs(world, numbers), []) if world.suits is None else discard_costs_with_suits(world, numbers)
        )
        rivals = (
            RejectedStep(other, *reason_against(situation, other, told), max(0.0, costs[other.kind] - costs[step.kind]))
            for other in view.legal
            if isinstance(other, Discard) and other != step
        )
        return Choice(step, *told, nearest_rejected_steps(rivals), card_to_discard(step, suits))


def _choose_by_rules_of_thumb(view: SeatView, memory: Memory) -> Choice:
    """Return the choice of a player by rules of thumb that remembers cards."""
    return LevelPlayer("strong").choose(view, memory)


def can_rollout_player_decide(view: SeatView, memory: Memory) -> bool:
    """Return whether the rollout player can decide here: it knows the rules, and the situation is ordinary.

    It cannot if the memory lacks open cards of the pile; then rules of thumb decide.
    """
    pile = view.table.pile
    if len(memory.pile) < pile.cards - pile.hidden:
        return False
    usual = view.table.phase in (Phase.DRAW, Phase.PLAY) and view.table.permission is None
    may_say = not view.must_say or (view.must_say == "ask" and view.table.rules.foot_size > 0)
    return usual and may_say and is_playable(view.table.rules) and not any(info.exposed for info in view.table.seats)


def next_step(world: World, numbers: list[float], situation: Situation) -> Step | None:
    """Return the rollout player's step with these numbers; None if it is not legal."""
    if world.suits is not None:
        return next_step_with_runs(world, numbers, situation)
    legal = situation.view.legal
    if situation.view.table.phase is Phase.DRAW:
        takes = {claim_as_step(claim): claim for claim in ((0, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1))}
        found = [takes[step] for step in legal if isinstance(step, Take) and step in takes]
        claim = choose_way_to_take(world, numbers, found)
        if claim is not None:
            return claim_as_step(claim)
        return DRAW if DRAW in legal else PASS if PASS in legal else None
    plan = choose_melds(world, numbers, stays=would_lose_game(situation))
    if ASK in legal and is_whole_hand_laid(world, plan):
        return ASK
    for laying in plan:
        step = meld_as_step(world, laying)
        if step in legal:
            return step
    costs = discard_costs(world, numbers)
    discards = [step for step in legal if isinstance(step, Discard)]
    return min(discards, key=lambda step: costs[step.kind]) if discards else None
