"""Advice on the board, and its sentences that depend on numbers of cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards.cards import ACE, KING, SPADES
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.events import DealEnd, DealEnded, Gathered, Melded, OtherCanastas, ScoreLines
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.named_themes import with_themes
from bot.i18n import locales, words
from bot.tables.state.snapshots import ActionResult, SeatSnapshot
from cogs.shared.discord_api.components import TEXT_STYLE, Option, select, text
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling import parameter_text, play_text, rules_text, score_text, status_text
from cogs.shared.telling.turn_text import SPOKEN
from render.drawing.fonts import FontRuler
from render.layout_items import Text
from render.layouts import layout_of
from render.layouts.side_panel import FIRST_RUN
from render.picture_inputs import BoardPicture
from tests.render import samples
from tests.support.discord_limits import all_components
from tests.support.engine_games import played_positions, public_text, table_snapshot

ENGLISH = words()
STATE = next(state for state in played_positions(3) if state.phase is Phase.DRAW)


def test_a_board_advises_to_take_only_a_pile_that_can_be_taken() -> None:
    advised = set()
    for state in played_positions(3):
        view = table_snapshot(state).view
        assert view is not None
        if state.phase is not Phase.DRAW:
            continue
        top = view.pile.top
        advice = status_text.advice_text(ENGLISH, view)
        blocked = top is None or top >> 2 > ACE
        if view.stock and blocked:
            assert "Draw." == advice
        elif not view.stock:
            assert "The stock is out." == advice
        advised.add(advice)
    assert {"Draw.", "Draw, or take the pile."} <= advised


def test_wild_cards_alone_are_shown_with_the_meld_they_join() -> None:
    snapshot = table_snapshot(STATE)
    two = Melded(0, KING, (12 << 2,))
    assert public_text(ENGLISH, snapshot, two, text_style=SPOKEN).endswith("added a two to the kings")
    run = FIRST_RUN + SPADES
    eight = Melded(0, run, parse_cards("8s"))
    assert public_text(ENGLISH, snapshot, eight).endswith("laid 8♠ on the run of spades")
    whole = Melded(0, run, parse_cards("7s 8s 9s"))
    assert public_text(ENGLISH, snapshot, whole).endswith("laid 7♠ 8♠ 9♠")
    kings = Melded(0, KING, (KING << 2, KING << 2 | 1, 12 << 2))
    assert public_text(ENGLISH, snapshot, kings, text_style=SPOKEN).endswith("laid 2 kings, 1 two")


def test_a_pile_of_one_card_leaves_nothing_to_pick_up() -> None:
    outcome = ActionResult(SeatSnapshot(table_snapshot(STATE), 0, None), (Gathered(0, (), ()),), repeated=False)
    assert "You took the pile; it had no other cards." == play_text.own_action_text(ENGLISH, outcome)


@pytest.mark.parametrize(("name", "line"), [("classic", "red threes 100"), ("bolivia", "red threes 100")])
def test_score_lines_mention_red_threes_if_only_they_count(name: str, line: str) -> None:
    snapshot = table_snapshot(next(played_positions(1, name=name)))
    result = DealEnded(1, DealEnd.STOCK, None, concealed=False, lines=(ScoreLines(red_threes=100),), scores=(100,))
    assert line in score_text.deal_score_text(ENGLISH, snapshot, result)
    both = replace(snapshot, terms=replace(snapshot.terms, black3_role="bonus"))
    assert ": threes 100" in score_text.deal_score_text(ENGLISH, both, result)


def test_canastas_are_listed_by_kind() -> None:
    snapshot = table_snapshot(next(played_positions(1, name="bolivia")))
    lines = ScoreLines(natural_canastas=500, other_canastas=4000)
    known = DealEnded(1, DealEnd.STOCK, None, False, (lines,), (4500,), (OtherCanastas(1500, 2500, 0),))
    assert "natural canastas 500, run canastas 1,500, wild canastas 2,500 = " in score_text.deal_score_text(
        ENGLISH, snapshot, known
    )
    assert "canaste in sequenza 1.500, canaste di pinelle 2.500" in score_text.deal_score_text(
        words("it"), snapshot, known
    )
    before = replace(known, others=())
    assert "natural canastas 500, other canastas 4,000 = " in score_text.deal_score_text(ENGLISH, snapshot, before)


def test_threes_that_stay_in_a_hand_are_listed_by_suit() -> None:
    hand = (ACE << 2, 14 << 2 | 1, 12 << 2)
    assert "A 3♥ 2" == card_text.hand_label(hand, rule_set("hand-and-foot", 4))
    assert "A 3 2" == card_text.hand_label(hand, rule_set("classic", 4))
    assert "A♠ 3♥ 2♠" == card_text.hand_label(hand, rule_set("samba", 4))


@pytest.mark.parametrize("locale", locales())
def test_the_rules_of_samba_explain_runs_and_several_melds_of_a_rank(locale: str) -> None:
    said, rules = words(locale), rule_set("samba", 4)
    shown_text, classic = (
        rules_text.all_rules_text(said, rules),
        rules_text.all_rules_text(said, rule_set("classic", 4)),
    )
    assert said("law.shared_one") not in shown_text
    assert said("law.shared_one") in classic
    assert said("law.several") in shown_text
    assert said("law.runs_grow") not in shown_text
    assert said("law.way_add_unfinished") in shown_text
    assert "1" + said.language.thousands + "500" in shown_text


def test_rules_without_red_three_values_do_not_mention_any() -> None:
    shown_text = "\n".join(parameter_text.differences_from_classic(ENGLISH, rule_set("hand-and-foot", 4)))
    assert parameter_text.parameter_title(ENGLISH, "red3_values") not in shown_text
    assert parameter_text.parameter_title(ENGLISH, "red3_in_hand") in shown_text


@pytest.mark.parametrize("name", ["hand-and-foot", "hand-and-foot-us", "classic-trios", "modern-american-13"])
def test_the_board_shows_the_full_name_of_the_rules(name: str) -> None:
    picture = samples.boards()["board_4"]
    shown = ENGLISH(f"rules.{name}")
    layout = layout_of(BoardPicture(view=picture.view, names=picture.names, rules_name=shown), FontRuler())
    assert shown in " ".join(item.text for item in layout.items if isinstance(item, Text))


def test_black_suits_are_text_and_no_black_emojis_on_a_dark_ground() -> None:
    sent = text("4♠ 4♥ 3♣").to_component_dict()["content"]
    assert f"4♠{TEXT_STYLE} 4♥ 3♣{TEXT_STYLE}" == sent
    row = select(ControlId(1, 1, "discard"), "Cards", [Option("a", "10♣")])
    assert row is not None
    menu = next(one for one in all_components([row.to_component_dict()]) if "options" in one)
    assert f"10♣{TEXT_STYLE}" == menu["options"][0]["label"]


def test_the_rules_list_themes_separately() -> None:
    shown_text = rules_text.all_rules_text(ENGLISH, with_themes(rule_set("classic", 4), ["royal-start"])).split("\n")
    last = max(number for number, line in enumerate(shown_text) if line.startswith("- "))
    assert "" == shown_text[last + 1]
    assert shown_text[last + 2].startswith("**Classic**")


def test_wild_canastas_of_any_kind_are_only_counted() -> None:
    assert "1000" == parameter_text.value_in_rules(ENGLISH, rule_set("pennies", 6), "bonus_wild")
    several = parameter_text.value_in_rules(ENGLISH, rule_set("cuban", 4), "bonus_wild")
    assert several.endswith("any other: 2000")


def test_three_names_next_to_each_other_can_be_distinguished() -> None:
    """The button leaves room for the dealer's name, and the name of the player in turn keeps its number."""
    state = next(played_positions(1, players=6, name="pennies"))
    names = tuple(f"Computer {seat}" for seat in range(6))
    view = table_snapshot(state, names=names).view
    assert view is not None
    layout = layout_of(BoardPicture(view=view, names=names), FontRuler())
    shown = {item.text for item in layout.items if isinstance(item, Text)}
    assert view.actor is not None
    assert set(names) - {names[view.actor]} <= shown
    assert any(one.endswith(f" {view.actor}") for one in shown)
