"""Autocompletion of melds, discards and ways to take: legal moves only, shown only to the player."""

from __future__ import annotations

from bot.engine.cards.cards import BLACK_THREE, JOKER, RED_THREE, SUIT_LETTERS, TWO, Kind
from bot.engine.cards.meld_places import RUN, family_of
from bot.engine.moves.actions import Combine, Discard, LayRun, Meld, Reclaim
from bot.engine.table.views import SeatView
from bot.i18n import Words
from cogs.shared.discord_api.components import fit_text
from cogs.shared.reading import card_text, typed_play, typed_steps
from cogs.shared.reading.custom_ids import LONGEST_CHOICE, MOST_CHOICES
from cogs.shared.reading.rank_order import rank_sort_key, sort_kinds
from cogs.shared.reading.rank_steps import COMBINE, RECLAIM
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.telling.turn_text import way_to_take_in_words, ways_to_take

Suggestion = tuple[str, str]
"""The label shown, and the value sent."""


def suggest_melds(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Return the melds and runs that can be laid now as choices, written as players type them.

    `cogs.shared.reading.typed_play` parses them. Text before the last comma is kept. Melds without wild cards come
    first, in the rank order of the hand's picture.
    """
    before, comma, last = typed.rpartition(",")
    kept = before.strip() + ", " if comma else ""
    steps = [step for step in view.legal if isinstance(step, Meld | LayRun)]
    found: dict[str, str] = {}
    for step in sorted(
        steps,
        key=lambda step: (_number_of_wild_cards(step), _rank_position(step), -_step_points(view, step), step.place),
    ):
        value, text = _step_as_typed(view, step), _step_label(view, step)
        wanted = _begins_with(value, last) or _begins_with(text, last)
        if wanted and value not in found and _is_own_meld_identified(view, step, value):
            found[value] = f"{kept}{text} · {words('panel.option_points', points=_step_points(view, step))}"
    found |= {} if kept else _combine_and_reclaim_choices(words, view, last)
    return _limit_choices([(label, kept + value) for value, label in found.items()])


def _combine_and_reclaim_choices(words: Words, view: SeatView, typed: str) -> dict[str, str]:
    """Return choices for the ranks whose melds can be combined or whose wild cards can be taken back.

    Keys are what a player types, values what the list shows.
    """
    kinds = dict.fromkeys(family_of(step.onto) for step in view.legal if isinstance(step, Combine))
    found = {
        f"{COMBINE} {card_text.rank_label(kind)}": words(
            "spoken.may_combine", kinds=card_text.kind_word(words, kind, 2)
        )
        for kind in kinds
    }
    for kind in dict.fromkeys(family_of(step.place) for step in view.legal if isinstance(step, Reclaim)):
        text = words("spoken.may_reclaim", kinds=card_text.kind_word(words, kind, 2))
        found[f"{RECLAIM} {card_text.rank_label(kind)}"] = text
    return {value: label for value, label in found.items() if _begins_with(value, typed) or _begins_with(label, typed)}


def _number_of_wild_cards(step: Meld | LayRun) -> int:
    """Return the number of wild cards in a meld; 0 for a run."""
    return step.twos + step.jokers if isinstance(step, Meld) else 0


def _rank_position(step: Meld | LayRun) -> int:
    """Return the number that sorts a step by its rank; for a run, by its highest card."""
    return rank_sort_key(step.high if isinstance(step, LayRun) else step.kind)


def _step_points(view: SeatView, step: Meld | LayRun) -> int:
    """Return the card points of a step."""
    values = view.table.rules.card_values
    if isinstance(step, LayRun):
        return sum(values[step.low : step.high + 1])
    naturals = step.naturals * values[step.kind] if step.naturals else 0
    return naturals + step.twos * values[TWO] + step.jokers * values[JOKER]


def _step_as_typed(view: SeatView, step: Meld | LayRun) -> str:
    """Return a step as the text that a player types for it.

    Examples: ``K K K 2``, ``2 on K``, ``2 2 JK``, ``4h 5h 6h``, ``7h on run``.
    """
    lies = any(meld.place == step.place for meld in view.side.melds)
    if isinstance(step, LayRun):
        suit = SUIT_LETTERS[family_of(step.place) - RUN]
        cards = " ".join(card_text.rank_label(kind) + suit for kind in range(step.low, step.high + 1))
        return f"{cards} on run" if lies else cards
    cards = card_text.meld_text(step.kind, step.naturals, step.twos, step.jokers).replace("Joker", "JK")
    if step.naturals:
        # "A 2" reads as "a two".
        return cards.replace("A 2", "A2") if step.naturals == 1 else cards
    if step.kind <= BLACK_THREE:
        return f"{cards} on {card_text.rank_label(step.kind)}"
    return f"{cards} on wild" if lies else cards


def _step_label(view: SeatView, step: Meld | LayRun) -> str:
    """Return a step as the text that the list shows, with suit symbols."""
    if isinstance(step, Meld):
        return _step_as_typed(view, step)
    suit = family_of(step.place) - RUN
    _, on, onto = _step_as_typed(view, step).partition(" on ")
    return card_text.cards_label([kind << 2 | suit for kind in range(step.low, step.high + 1)]) + on + onto


def _is_own_meld_identified(view: SeatView, step: Meld | LayRun, value: str) -> bool:
    """Return whether the text identifies the step's meld, even if the side has several of its rank."""
    if " on " not in value:
        return True
    numbers = [lay.onto for lay in typed_play.parse_melds(value, view, vocabulary_of()) if lay.onto is not None]
    melds = view.side.melds
    return not numbers or (numbers[0] < len(melds) and melds[numbers[0]].place == step.place)


def suggest_discards(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Return the cards that can be discarded now as choices, one of each kind."""
    kinds = sort_kinds(step.kind for step in view.legal if isinstance(step, Discard))
    found = [(f"{card_text.rank_label(kind)} · {_kind_label(words, view, kind)}", _typed_rank(kind)) for kind in kinds]
    return _limit_choices([(label, value) for label, value in found if _begins_with(label, typed)])


def _kind_label(words: Words, view: SeatView, kind: Kind) -> str:
    """Return the name of a rank; a three with its colour if a hand may hold both colours."""
    if view.table.rules.counts_red_threes and kind in (BLACK_THREE, RED_THREE):
        return card_text.discard_label(words, kind, red_threes_stay=True)
    return card_text.kind_word(words, kind)


def _typed_rank(kind: int) -> str:
    """Return a rank as a player types it."""
    return "JK" if kind == JOKER else "red 3" if kind == RED_THREE else card_text.rank_label(kind)


def suggest_ways_to_take_pile(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Return the legal ways to take the pile as choices of a command option."""
    top = view.table.pile.top
    if top is None:
        return []
    found = [(way_to_take_in_words(words, top >> 2, way), way) for way in ways_to_take(view)]
    found += [
        (typed_steps.move_in_words(words, view, take), value)
        for value, take in typed_steps.takes_by_typed_meld(view).items()
    ]
    return _limit_choices([(label, value) for label, value in found if typed.casefold() in label.casefold()])


def _begins_with(text: str, typed: str) -> bool:
    """Return whether the text begins with the typed characters, ignoring spaces."""
    return "".join(text.casefold().split()).startswith("".join(typed.casefold().split()))


def _limit_choices(suggestions: list[Suggestion]) -> list[Suggestion]:
    """Return the choices within Discord's limits of length and number."""
    return [(fit_text(label, LONGEST_CHOICE), value) for label, value in suggestions if len(value) <= LONGEST_CHOICE][
        :MOST_CHOICES
    ]
