"""A way out in a sentence: what is laid, what is discarded, and what the side makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards.places import family_of
from bot.engine.moves.actions import Combine
from bot.i18n import Words
from bot.tables.advice import Laying, Partner, WayOut
from bot.tables.looks import SeatSnapshot
from cogs.shared.reading import card_text
from cogs.shared.showing.panels import labels
from cogs.shared.showing.panels.stages import Stage
from cogs.shared.telling import names
from cogs.shared.telling.numbers import signed


def in_words(words: Words, look: SeatSnapshot, way: WayOut, stage: Stage) -> str:
    """What is done and what comes of it: "Lay Q Q Q, discard 4. Your side then makes +870, less Ben's 3 cards."."""
    done = ", ".join(_done(words, way))
    result = words("panel.out_result", points=signed(words, way.points))
    if way.partners:
        result = words(
            "panel.out_result_less",
            points=signed(words, way.points),
            held=", ".join(_held(words, look, one) for one in way.partners),
        )
    binding = words("panel.out_binds") if stage is Stage.MUST_ASK else ""
    return " ".join(filter(None, [f"{done[:1].upper()}{done[1:]}.", result, binding]))


def _done(words: Words, way: WayOut) -> Iterator[str]:
    if way.take is not None:
        yield words("panel.out_take")
    for laying in way.layings:
        yield _laid(words, laying)
    for united in way.united:
        yield words("panel.out_unite", kinds=_family(words, united))
    if way.discard is not None:
        yield words("panel.out_discard", card=card_text.rank(way.discard))


def _laid(words: Words, laying: Laying) -> str:
    cards, family = labels.cards_of(laying), family_of(laying.place)
    if laying.new:
        return words("panel.out_lay", cards=cards)
    return words("panel.out_add", cards=cards, kinds=card_text.meld_word(words, family, 2))


def _family(words: Words, united: Combine) -> str:
    return card_text.meld_word(words, family_of(united.onto), 2)


def _held(words: Words, look: SeatSnapshot, partner: Partner) -> str:
    name = names.of_seat(words, look.table, partner.seat)
    return words("panel.out_held", name=name, count=partner.cards + partner.waiting)
