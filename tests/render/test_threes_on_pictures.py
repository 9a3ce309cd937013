"""Threes on pictures: their points by rule set, and the sign on red threes."""

from dataclasses import replace

import pytest

from bot.engine.cards.cards import BLACK_THREE, RED_THREE
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.state import State
from render import descriptions
from render.drawing.fonts import FontRuler
from render.drawing.paint_layout import draw_layout
from render.layout_items import CardFace, Layout, Text
from render.layouts import layout_of
from render.picture_inputs import HandPicture, ScorePicture, ScoringThrees, scoring_threes_of
from tests.render import samples
from tests.support.engine_games import played_positions

RULER = FontRuler()


def texts(layout: Layout) -> list[str]:
    return [item.text for item in layout.items if isinstance(item, Text)]


@pytest.mark.parametrize(
    ("threes", "line"), [(ScoringThrees.RED, "Red threes"), (ScoringThrees.BOTH, "Threes"), (ScoringThrees.NONE, None)]
)
def test_a_score_sheet_lists_the_threes_that_count(threes: ScoringThrees, line: str | None) -> None:
    picture = replace(samples.scores()["score_3"], threes=threes)
    nothing = replace_threes(picture) if line is None else picture
    lines = texts(layout_of(nothing, RULER))
    assert [one for one in lines if "hrees" in one] == ([] if line is None else [line])
    assert (line is not None) is ("threes" in descriptions.full_description(nothing))
    assert ("red threes" in descriptions.full_description(nothing)) is (threes is ScoringThrees.RED)


def replace_threes(picture: ScorePicture) -> ScorePicture:
    """Return the score sheet of the same deals, without points for threes."""
    results = [
        replace(deal, lines=tuple(replace(line, red_threes=0) for line in deal.lines))
        for deal in samples.deal_results()
    ]
    return replace(picture, results=tuple(results))


def test_threes_score_only_if_the_rules_lay_them_out() -> None:
    assert ScoringThrees.RED is scoring_threes_of(rule_set("classic", 4).laid_out)
    assert ScoringThrees.BOTH is scoring_threes_of(rule_set("modern-american", 4).laid_out | {BLACK_THREE})
    assert ScoringThrees.NONE is scoring_threes_of(rule_set("hand-and-foot", 4).laid_out)


def position_with_red_three(name: str) -> tuple[State, int]:
    """Return a state under that rule set, and a seat that holds a red three."""
    return next(
        (state, seat)
        for state in played_positions(1, players=4, name=name)
        for seat in range(4)
        if state.hands and any(card >> 2 == RED_THREE for card in state.hands[seat])
    )


def test_a_red_three_that_counts_against_its_holder_carries_no_plus() -> None:
    against = {rules.name for forms in RULE_SETS.values() for rules in forms.values() if rules.red3_role == "penalty"}
    assert "hand-and-foot" in against
    state, seat = position_with_red_three("hand-and-foot")
    layout = layout_of(HandPicture(view=seat_view(state, seat)), RULER)
    assert layout.threes_against
    assert draw_layout(layout).tobytes() != draw_layout(replace(layout, threes_against=False)).tobytes()
    plain = replace(layout, items=tuple(item for item in layout.items if not is_red_three(item)))
    assert draw_layout(plain).tobytes() == draw_layout(replace(plain, threes_against=False)).tobytes()
    assert not layout_of(samples.boards()["board_4"], RULER).threes_against


def is_red_three(item: object) -> bool:
    return isinstance(item, CardFace) and item.card >> 2 == RED_THREE
