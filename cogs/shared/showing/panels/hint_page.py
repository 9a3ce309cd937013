"""A hint in words, and a button that does its first act.

Such as "Lay K K K · 4 4 4 = 55 of 50, then discard 9♣. *Why*: …". An act is one or several steps that one press does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.computer.chosen_step import Choice, Numbers, Reason
from bot.engine.cards.meld_places import family_of, is_run
from bot.engine.moves.actions import (
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    Step,
    Take,
)
from bot.engine.moves.events import Discarded, Melded
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice.turn_plans import PlannedStep
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.reading import card_text, typed_steps
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.showing.panels import labels, reasons, titles
from cogs.shared.telling import names, turn_text

Plan = Sequence[PlannedStep[Choice]]


@dataclass(frozen=True, slots=True)
class HintDisplay:
    """A hint as a panel shows it.

    `control` is the action and argument of its first act, `label` its button's text.
    """

    text: str
    control: tuple[str, str]
    label: str


def hint_display(words: Words, snapshot: SeatSnapshot, plan: Plan) -> HintDisplay:
    """Return the hint for the seat as a panel shows it; the plan must not be empty."""
    acts = _group_into_acts(snapshot, plan)
    texts = [_act_in_words(words, snapshot, act) for act in acts]
    label = labels.label_with_price(words, _capitalize(texts[0]), _price_of_steps(plan, len(acts[0])))
    return HintDisplay("\n".join(_hint_lines(words, snapshot, plan, texts)), _act_control(snapshot, acts[0]), label)


def _price_of_steps(plan: Plan, steps: int) -> int:
    """Return the points that the first `steps` steps of a plan lose or save if the deal ends now.

    They come from unfinished melds; a loss is negative.
    """
    if steps >= len(plan):
        return 0
    return reasons.price_of_unfinished_melds(plan[steps].view) - reasons.price_of_unfinished_melds(plan[0].view)


def reason_text(words: Words, snapshot: SeatSnapshot, reason: Reason, numbers: Numbers) -> str:
    """Return the sentence that explains a hint by this reason, with its numbers."""
    told: dict[str, int | str] = dict(numbers)
    if "seat" in numbers:
        told["name"] = names.seat_name(words, snapshot.table, numbers["seat"])
    if "kind" in numbers:
        told["kinds"] = card_text.kind_word(words, numbers["kind"], 2)
    return words(f"reason.{reason.value}", **told)


def _hint_lines(words: Words, snapshot: SeatSnapshot, plan: Plan, steps_in_words: Sequence[str]) -> Iterator[str]:
    text = (
        steps_in_words[0]
        if len(steps_in_words) == 1
        else words("hint.then", first=steps_in_words[0], others=_join_steps(words, steps_in_words[1:]))
    )
    yield f"**{_capitalize(text)}.**"
    first = plan[0].choice
    yield words("hint.why", reason=reason_text(words, snapshot, first.reason, _reason_numbers(plan)))
    weighed = next((one for one in reversed(plan) if one.choice.rivals), None)
    if weighed is not None:
        yield words("hint.looked", rival=rejected_step_text(words, snapshot, weighed.view, weighed.choice))


def _join_steps(words: Words, steps_in_words: Sequence[str]) -> str:
    first, *rest = steps_in_words
    return words("hint.then", first=first, others=_join_steps(words, rest)) if rest else first


def rejected_step_text(words: Words, snapshot: SeatSnapshot, view: SeatView, choice: Choice) -> str:
    """Return the best rejected step, how many points worse it is, and why: "discard Q (12 points worse). It would …".

    The reason is left out if it is the one for the chosen step, and if both steps are equally good.
    """
    rival = choice.rivals[0]
    behind = round(rival.behind)
    step = step_in_words(words, snapshot, view, rival.step)
    if not behind:
        return words("hint.rival_level", step=step)
    if (rival.reason, rival.numbers) == (choice.reason, choice.numbers):
        return words("hint.rival_unexplained", step=step, behind=behind)
    return words(
        "hint.rival", step=step, behind=behind, reason=reason_text(words, snapshot, rival.reason, rival.numbers)
    )


def _reason_numbers(plan: Plan) -> Numbers:
    """Return the numbers of a plan's first reason; for an opening, those of all its melds together."""
    first = plan[0].choice
    if first.reason is not Reason.OPEN_NOW:
        return first.numbers
    laying = [one for one in plan if isinstance(one.choice.step, Meld | LayRun)]
    return {**first.numbers, "points": max(first.numbers["points"], plan[0].view.laid_points + _card_points(laying))}


def _card_points(steps: Plan) -> int:
    """Return the card points of the melds in these steps."""
    melded = [event for one in steps for event in one.events if isinstance(event, Melded)]
    values = steps[0].view.table.rules.card_values if steps else ()
    return sum(values[card >> 2] for event in melded for card in event.cards)


# --- acts: steps that one press does ----------------------------------------------------------------------------------


def _group_into_acts(snapshot: SeatSnapshot, plan: Plan) -> list[list[PlannedStep[Choice]]]:
    """Return the plan's steps grouped into acts: steps that one press does.

    Melds laid one after another are one act if a draft can express them, and so is taking the pile with its melds.
    """
    acts = [
        act
        for together, steps in groupby(plan, key=lambda one: isinstance(one.choice.step, Meld | LayRun))
        for act in (_acts_of_melds(list(steps)) if together else [[one] for one in steps])
    ]
    first = acts[0][0].choice.step
    taken = isinstance(first, Take) and _number_of_way_to_take(snapshot, first) is not None
    return [acts[0]] if taken else acts


def _acts_of_melds(steps: list[PlannedStep[Choice]]) -> list[list[PlannedStep[Choice]]]:
    """Return successive melds as one act if a draft can express them, else each as an act of its own."""
    return [steps] if _steps_as_draft(steps) else [[one] for one in steps]


def _number_of_way_to_take(snapshot: SeatSnapshot, step: Take) -> int | None:
    """Return the number of the offered way that takes the pile by this step, or None."""
    return next((number for number, way in enumerate(snapshot.offers.takes) if way.step == step), None)


def _act_in_words(words: Words, snapshot: SeatSnapshot, act: Plan) -> str:
    """Return an act as an order: "lay K K K · 4 4 4 = 55 of 50", "discard 9♣"."""
    first = act[0]
    if not isinstance(first.choice.step, Meld | LayRun):
        dropped = next((event.card for event in first.events if isinstance(event, Discarded)), None)
        if dropped is not None:
            return words("hint.discard", card=card_text.card_label(dropped))
        return step_in_words(words, snapshot, first.view, first.choice.step)
    text = words("hint.lay", melds=" · ".join(_meld_texts(words, act)))
    view = first.view
    if view.side.opened or not view.side.minimum:
        return text
    points = view.laid_points + _card_points(act)
    return words("hint.opens", lay=text, points=points, minimum=view.side.minimum)


def _meld_texts(words: Words, act: Plan) -> Iterator[str]:
    for one in act:
        if isinstance(one.choice.step, Meld | LayRun):
            yield _meld_in_words(words, one.view, one.choice.step)


def _meld_in_words(words: Words, view: SeatView, step: Meld | LayRun) -> str:
    """Return the cards to lay, and the meld they join, if any."""
    if isinstance(step, LayRun):
        run = [kind << 2 | step.place & 3 for kind in range(step.low, step.high + 1)]
        text = typed_steps.run_ends_text(run) if len(run) > 1 else card_text.card_label(run[0])
    else:
        text = card_text.meld_text(family_of(step.place), step.naturals, step.twos, step.jokers)
    if all(meld.place != step.place for meld in view.side.melds):
        return text
    family = family_of(step.place)
    kinds = card_text.meld_word(words, family, 1 if is_run(step.place) else 2)
    return words("panel.button_add", cards=text, kinds=kinds)


def step_in_words(words: Words, snapshot: SeatSnapshot, view: SeatView, step: Step) -> str:
    """Return a step as an order, in small letters: "draw", "discard Q"."""
    match step:
        case Meld() | LayRun():
            return words("hint.lay", melds=_meld_in_words(words, view, step))
        case Take():
            return _pickup_text(words, snapshot, view, step)
        case Discard(kind):
            return words("hint.discard", card=card_text.rank_label(kind))
        case Combine() | Reclaim():
            return typed_steps.move_in_words(words, view, step)
        case Ask():
            return words("hint.ask", name=titles.partner_names(words, snapshot))
        case Answer(yes):
            return words("hint.yes" if yes else "hint.no")
        case _:
            return words(_FIXED[type(step)])


def _pickup_text(words: Words, snapshot: SeatSnapshot, view: SeatView, step: Take) -> str:
    top = view.table.pile.top
    number = _number_of_way_to_take(snapshot, step)
    text = "" if top is None else turn_text.take_label(words, top >> 2, step)
    if step.onto is not None:
        return typed_steps.move_in_words(words, view, step)
    if number is not None:
        added = " · ".join(labels.laying_label_in_list(words, laying) for laying in snapshot.offers.takes[number].added)
        text = words("panel.button_and", first=text, second=added) if added else text
    return words("hint.take", how=text)


_FIXED: Final[dict[type[Step], str]] = {
    Draw: "hint.draw",
    DrawKeeping: "hint.keep",
    Pass: "hint.pass",
    Announce: "hint.announce",
    Show: "hint.show",
}


def _act_control(snapshot: SeatSnapshot, act: Plan) -> tuple[str, str]:
    """Return the action and the argument of the control that does an act."""
    first = act[0]
    match first.choice.step:
        case Meld() | LayRun() as step:
            draft = _steps_as_draft(act)
            return ("lay", str(draft)) if draft else ("play", typed_steps.menu_value(step))
        case Take() as step:
            number = _number_of_way_to_take(snapshot, step)
            return ("play", typed_steps.menu_value(step)) if number is None else ("take", f"{number}.")
        case Combine() | Reclaim() as step:
            return "play", typed_steps.menu_value(step)
        case Discard():
            dropped = next(event.card for event in first.events if isinstance(event, Discarded))
            return "discard_card", str(dropped)
        case Answer(yes):
            return ("yes" if yes else "no"), ""
        case step:
            return _ACTIONS[type(step)], ""


_ACTIONS: Final[dict[type[Step], str]] = {
    Draw: "draw",
    DrawKeeping: "keep",
    Pass: "pass",
    Announce: "announce",
    Ask: "ask",
    Show: "show",
}


def _steps_as_draft(steps: Plan) -> Draft:
    """Return the draft with which one press lays several melds and additions.

    It is empty for a single meld, or if ranks do not identify the melds.
    """
    draft = NOTHING
    for one in steps if len(steps) > 1 else ():
        step = one.choice.step
        staged = labels.step_as_staged_meld(step) if isinstance(step, Meld | LayRun) else None
        several = one.view.table.rules.same_rank_melds != "one"
        lies = several and isinstance(step, Meld) and any(meld.place == step.place for meld in one.view.side.melds)
        if staged is None or lies or draft.meld_of(staged.kind).size:
            return NOTHING
        draft = draft.with_meld(staged)
    return draft


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
