"""What autocompletion offers: legal things only, and only to the person whose cards they are."""

from __future__ import annotations

from bot.engine.cards.cards import BLACK_THREE, JOKER, RED_THREE, SUIT_LETTERS, TWO, Kind
from bot.engine.cards.places import RUN, family_of
from bot.engine.moves.actions import Combine, Discard, LayRun, Meld, Reclaim
from bot.engine.table.views import SeatView
from bot.i18n import Words
from cogs.shared.reading import cards as card_text
from cogs.shared.reading import typed_play, typed_steps
from cogs.shared.reading.ids import LONGEST_CHOICE, MOST_CHOICES
from cogs.shared.reading.rank_order import in_order, place_of_kind
from cogs.shared.reading.rank_steps import COMBINE, RECLAIM
from cogs.shared.reading.vocabulary import vocabulary
from cogs.shared.telling.turn_text import way_in_words, ways_to_take

Suggestion = tuple[str, str]
"""What is shown, and what is sent."""


def melds(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Melds and runs that can be laid now, as they are read back (`cogs.shared.reading.typed_play`).

    What stands before the last comma is kept. First those without wild cards, rank by rank as the picture of the hand
    has them.
    """
    before, comma, last = typed.rpartition(",")
    kept = before.strip() + ", " if comma else ""
    steps = [step for step in view.legal if isinstance(step, Meld | LayRun)]
    found: dict[str, str] = {}
    for step in sorted(steps, key=lambda step: (_wilds(step), _rank_order(step), -_points(view, step), step.place)):
        value, shown = _written(view, step), _shown(view, step)
        wanted = _matches(value, last) or _matches(shown, last)
        if wanted and value not in found and _is_read_back(view, step, value):
            found[value] = f"{kept}{shown} · {words('panel.option_points', points=_points(view, step))}"
    found |= {} if kept else _others(words, view, last)
    return _offered([(label, kept + value) for value, label in found.items()])


def _others(words: Words, view: SeatView, typed: str) -> dict[str, str]:
    """The ranks of which two melds can be laid together, or wild cards be taken back, as they are read back."""
    kinds = dict.fromkeys(family_of(step.onto) for step in view.legal if isinstance(step, Combine))
    found = {
        f"{COMBINE} {card_text.rank(kind)}": words("spoken.may_combine", kinds=card_text.kind_word(words, kind, 2))
        for kind in kinds
    }
    for kind in dict.fromkeys(family_of(step.place) for step in view.legal if isinstance(step, Reclaim)):
        told = words("spoken.may_reclaim", kinds=card_text.kind_word(words, kind, 2))
        found[f"{RECLAIM} {card_text.rank(kind)}"] = told
    return {value: label for value, label in found.items() if _matches(value, typed) or _matches(label, typed)}


def _wilds(step: Meld | LayRun) -> int:
    return step.twos + step.jokers if isinstance(step, Meld) else 0


def _rank_order(step: Meld | LayRun) -> int:
    """Where a step's rank stands, of a run that of its highest card."""
    return place_of_kind(step.high if isinstance(step, LayRun) else step.kind)


def _points(view: SeatView, step: Meld | LayRun) -> int:
    """What the cards of a step count."""
    values = view.table.rules.card_values
    if isinstance(step, LayRun):
        return sum(values[step.low : step.high + 1])
    naturals = step.naturals * values[step.kind] if step.naturals else 0
    return naturals + step.twos * values[TWO] + step.jokers * values[JOKER]


def _written(view: SeatView, step: Meld | LayRun) -> str:
    """A step as it is typed: ``K K K 2``, ``2 on K``, ``2 2 JK``, ``4h 5h 6h``, ``7h on run``."""
    lies = any(meld.place == step.place for meld in view.side.melds)
    if isinstance(step, LayRun):
        suit = SUIT_LETTERS[family_of(step.place) - RUN]
        cards = " ".join(card_text.rank(kind) + suit for kind in range(step.low, step.high + 1))
        return f"{cards} on run" if lies else cards
    cards = card_text.counted(step.kind, step.naturals, step.twos, step.jokers).replace("Joker", "JK")
    if step.naturals:
        # "A 2" reads as "a two".
        return cards.replace("A 2", "A2") if step.naturals == 1 else cards
    if step.kind <= BLACK_THREE:
        return f"{cards} on {card_text.rank(step.kind)}"
    return f"{cards} on wild" if lies else cards


def _shown(view: SeatView, step: Meld | LayRun) -> str:
    """A step as it is shown beside what is typed: with the signs of the suits."""
    if isinstance(step, Meld):
        return _written(view, step)
    suit = family_of(step.place) - RUN
    _, on, onto = _written(view, step).partition(" on ")
    return card_text.cards([kind << 2 | suit for kind in range(step.low, step.high + 1)]) + on + onto


def _is_read_back(view: SeatView, step: Meld | LayRun, value: str) -> bool:
    """Whether the meld that the text names is the one meant, where a side has several alike."""
    if " on " not in value:
        return True
    numbers = [lay.onto for lay in typed_play.parse_melds(value, view, vocabulary()) if lay.onto is not None]
    melds = view.side.melds
    return not numbers or (numbers[0] < len(melds) and melds[numbers[0]].place == step.place)


def discards(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Cards that can be discarded now, one of each kind."""
    kinds = in_order(step.kind for step in view.legal if isinstance(step, Discard))
    found = [(f"{card_text.rank(kind)} · {_word(words, view, kind)}", _typed(kind)) for kind in kinds]
    return _offered([(label, value) for label, value in found if _matches(label, typed)])


def _word(words: Words, view: SeatView, kind: Kind) -> str:
    """A rank in words; a three with its colour where a hand may hold both."""
    if view.table.rules.counts_red_threes and kind in (BLACK_THREE, RED_THREE):
        return card_text.discard(words, kind, red_threes_stay=True)
    return card_text.kind_word(words, kind)


def _typed(kind: int) -> str:
    """A rank as it is read back."""
    return "JK" if kind == JOKER else "red 3" if kind == RED_THREE else card_text.rank(kind)


def ways(words: Words, view: SeatView, typed: str) -> list[Suggestion]:
    """Ways to take the pile now."""
    top = view.table.pile.top
    if top is None:
        return []
    found = [(way_in_words(words, top >> 2, way), way) for way in ways_to_take(view)]
    found += [(typed_steps.in_words(words, view, take), value) for value, take in typed_steps.takes_onto(view).items()]
    return _offered([(label, value) for label, value in found if typed.casefold() in label.casefold()])


def _matches(text: str, typed: str) -> bool:
    """Whether the text begins as what was typed, spaces apart."""
    return "".join(text.casefold().split()).startswith("".join(typed.casefold().split()))


def _offered(found: list[Suggestion]) -> list[Suggestion]:
    return [(label[:LONGEST_CHOICE], value) for label, value in found if len(value) <= LONGEST_CHOICE][:MOST_CHOICES]
