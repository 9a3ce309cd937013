"""A plan in one sentence, as the last page of the wizard tells it (`docs/tournaments.md` 1.1)."""

from __future__ import annotations

from bot.i18n import Words
from bot.tournaments.event.event_plan import BoardScoring, Plan
from bot.tournaments.event.round_drawing import usual_rounds
from cogs.tournament import wording


def summary(words: Words, plan: Plan) -> str:
    """Format, rounds, how long each is and all together, and who plays."""
    return f"{_rounds(words, plan)}. {_entries(words, plan)}."


def _rounds(words: Words, plan: Plan) -> str:
    entries = max(2, plan.places // entry_persons(plan))
    rounds = usual_rounds(plan, entries)
    values = {
        "kind": words(f"tournament_kind.{plan.kind.value}"),
        "length": match_words(words, plan),
        "time": wording.span(words, plan.round_time),
    }
    if rounds is None:
        return words("wizard.sentence_open", **values)
    lasts = wording.roughly(words, rounds * (plan.round_time + plan.between))
    return words("wizard.sentence", **values, rounds=words("wizard.rounds", count=rounds), lasts=lasts)


def match_words(words: Words, plan: Plan) -> str:
    """How much is played in a round."""
    if plan.duplicate is not None:
        return words("tournament.boards", count=plan.duplicate.in_a_round)
    if plan.deals is None:
        return words("tournament.target", target=plan.rules.target)
    return words("tournament.deals", count=plan.deals)


def entry_persons(plan: Plan) -> int:
    """How many persons make one entry in the standings."""
    return plan.entry_size if plan.drawn else plan.persons_each


def _entries(words: Words, plan: Plan) -> str:
    size = entry_persons(plan)
    teams = plan.duplicate is not None and plan.duplicate.scoring is BoardScoring.VICTORY_POINTS
    unit = "teams" if teams else {1: "alone", 2: "pairs", 3: "trios"}.get(size, "teams")
    told = words(f"wizard_entries.{unit}", count=plan.places // size)
    return words("wizard.drawn", entries=told) if plan.drawn else told
