"""A table's rules in words, made from their parameters: what differs from the classic laws, then the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bot.engine.rules import RuleSet
from bot.engine.rulesets import NOTES
from bot.engine.special_points import special_points
from bot.i18n import Words, theme_words
from bot.i18n.note_words import note
from bot.tables.looks import TableLook
from cogs.shared import parameters
from cogs.shared.board import rules_name, rules_of

ROOM: Final = 3900
"""Characters that one message may take."""


_SIDES: Final[Mapping[str, str]] = {
    "2v3": "rules_text.sides_pair_and_trio",
    "3v3": "rules_text.sides_trios",
    "cut-throat": "rules_text.sides_cut_throat",
}


def of_table(words: Words, look: TableLook) -> list[str]:
    """The rules that a table plays, in messages."""
    deal = 1 if look.view is None else look.view.deal
    return pages(words, look.terms, look.target, name=rules_of(words, look), deal=deal)


def pages(words: Words, rules: RuleSet, target: int, *, name: str = "", deal: int = 1) -> list[str]:
    """The rules in as many messages as they take; `name` is what they are called, if not as their rule set."""
    return paged(whole(words, rules, target, name=name, deal=deal).split("\n"))


def paged(lines: Iterable[str]) -> list[str]:
    """Lines in as few messages as hold them."""
    found = [""]
    for line in lines:
        longer = f"{found[-1]}\n{line}" if found[-1] else line
        if len(longer) <= ROOM:
            found[-1] = longer
        elif line:
            found.append(line[:ROOM])
    return found


def whole(words: Words, rules: RuleSet, target: int, *, name: str = "", deal: int = 1) -> str:
    """The rules: how they differ, the whole in about ten sentences, where they come from."""
    differing = parameters.differences(words, rules)
    lines = [
        words("rules_text.title", rules=name or rules_name(words, rules.name), players=rules.players),
        *_themes(words, rules, deal),
        words("rules_text.differs" if differing else "rules_text.differs_not"),
        *differing,
        "",  # ends the list: what follows is prose
        _goal(words, rules, target) + _end_of_game(words, rules),
        *_sides(words, rules),
        *_foot(words, rules),
        _turn(words, rules),
        _meld(words, rules),
        *_runs(words, rules),
        _canasta(words, rules),
        _opening(words, rules),
        _pile(words, rules),
        *_discards(words, rules),
        _threes(words, rules),
        *_special_hands(words, rules),
        _out(words, rules),
    ]
    if rules.asks:
        lines.append(words("rules_text.ask_mandatory" if rules.ask_partner == "mandatory" else "rules_text.ask"))
    lines += [_stock(words, rules), words("rules_text.values", ace=rules.ace_value, two=rules.card_values[12])]
    return _with_notes(words, rules, "\n".join(lines))


def _themes(words: Words, rules: RuleSet, deal: int) -> list[str]:
    """The themes that lie over the rules, and what those ask in that deal that change from deal to deal."""
    lines = [words("rules_text.themes")] if rules.theme else []
    for theme in rules.theme:
        told = {"title": theme_words.title(words, theme.name), "about": theme_words.told(words, theme)}
        lines.append(words("rules_text.theme", **told))
        if now := theme_words.in_deal(words, theme, deal):
            lines.append(words("rules_text.theme_now", condition=now))
    return [*lines, ""] if lines else []  # ends the list


def _value(words: Words, value: object) -> str:
    return parameters.value_of(words, value)


def _goal(words: Words, rules: RuleSet, target: int) -> str:
    if rules.rounds is not None:
        return words("rules_text.goal_deals", count=rules.rounds)
    return words("rules_text.goal", target=target)


def _turn(words: Words, rules: RuleSet) -> str:
    top = "" if rules.pile_take is None else "_top"
    count = rules.pile_take or 0
    if isinstance(rules.draw, int):
        return words(f"rules_text.turn{top}", draw=rules.draw, count=count)
    return words(f"rules_text.turn{top}_by_deal", draw=parameters.value_in(words, rules, "draw"), count=count)


def _foot(words: Words, rules: RuleSet) -> list[str]:
    """What the second hand is and when it comes, where the rules have one."""
    if not rules.foot_size:
        return []
    told = [words("rules_text.foot", count=rules.foot_size)]
    if rules.foot_pickup == "first_canasta":
        told.append(words("rules_text.foot_canasta_run" if rules.foot_run else "rules_text.foot_canasta"))
    else:
        told.append(words("rules_text.foot_empty_run" if rules.foot_run else "rules_text.foot_empty"))
    if rules.foot_partner_gate == "in_foot":
        told.append(words("rules_text.foot_partner"))
    return [" ".join(told)]


def _end_of_game(words: Words, rules: RuleSet) -> str:
    told = [words("rules_text.raise")] if rules.both_reach == "raise_1000" else []
    told += [words("rules_text.game_bonus", points=rules.game_bonus)] if rules.game_bonus else []
    return "".join(f" {one}" for one in told)


def _sides(words: Words, rules: RuleSet) -> list[str]:
    """Who plays for whom, where that is not the same all the time."""
    key = _SIDES.get(rules.teams)
    return [words(key)] if key is not None else []


def _meld(words: Words, rules: RuleSet) -> str:
    told = [
        words("rules_text.meld", meld_min=rules.meld_min, min_naturals=rules.min_naturals, max_wilds=rules.max_wilds)
    ]
    if rules.wild_ratio != "none":
        told.append(words("rules_text.ratio", ratio=_value(words, rules.wild_ratio)))
    if rules.same_rank_melds == "one":
        told.append(words("rules_text.meld_one"))
    else:
        told.append(parameters.in_words(words, rules, "same_rank_melds") + ".")
    if rules.meld_max is not None:
        told.append(words("rules_text.meld_max", count=rules.meld_max))
    else:
        told.append(parameters.in_words(words, rules, "wild_on_canasta") + ".")
    return " ".join(told)


def _runs(words: Words, rules: RuleSet) -> list[str]:
    """What a run is, where the rules have them."""
    if "seq" not in rules.meld_kinds:
        return []
    return [words("rules_text.runs", length=_value(words, rules.seq_rule))]


def _canasta(words: Words, rules: RuleSet) -> str:
    """What canastas count, those of runs and of wild cards too where the rules have them."""
    size = rules.canasta_size
    natural, mixed = rules.bonus_natural, rules.bonus_mixed
    told = [words("rules_text.canasta", canasta_size=size, bonus_natural=natural, bonus_mixed=mixed)]
    if rules.bonus_seq:
        told.append(words("rules_text.canasta_run", canasta_size=size, points=rules.bonus_seq))
    if rules.bonus_wild:
        told.append(words("rules_text.canasta_wild", points=_value(words, rules.bonus_wild)))
    if rules.wild_reclaim != "none":
        told.append(words("rules_text.reclaim", canasta_size=size))
    return " ".join(told)


def _opening(words: Words, rules: RuleSet) -> str:
    told = [words("rules_text.opening", rows=parameters.opening_rows(words, rules.open_table, by=rules.open_by))]
    if "first_canasta_top" in rules.open_waiver:
        told.append(words("rules_text.opening_canasta"))
    if rules.open_shape != "any":
        told.append(words("rules_text.opening_shape", shape=_value(words, rules.open_shape)))
    if rules.talon:
        talon = ", ".join(map(str, rules.talon))
        key = "rules_text.talon_anyhow" if rules.talon_with_pile else "rules_text.talon"
        told.append(words(key, talon=talon, stock=rules.talon_stock))
    return " ".join(told)


def _discards(words: Words, rules: RuleSet) -> list[str]:
    """What may not be discarded, where the rules ban something."""
    if not rules.discard_bans:
        return []
    return [words("rules_text.discards", cards=_value(words, rules.discard_bans))]


def _special_hands(words: Words, rules: RuleSet) -> list[str]:
    """The special hands with their points, the dearest first, where the rules have any."""
    if not rules.special_hands:
        return []
    points = {name: special_points(rules, name) for name in sorted(rules.special_hands)}
    dearest = sorted(points, key=lambda name: -points[name])
    told = ", ".join(f"{words(f'special_hand.{name}')} {points[name]}" for name in dearest)
    return [words("rules_text.special_hands", hands=told)]


def _pile(words: Words, rules: RuleSet) -> str:
    told = [words("rules_text.pile")]
    ways = [words("rules_text.pile_way_wild")] if "card+wild" in rules.take_open else []
    if "add" in rules.take_open:
        key = "rules_text.pile_way_add" if rules.take_add_canasta else "rules_text.pile_way_add_unfinished"
        ways.append(words(key))
    if "add_seq" in rules.take_open:
        ways.append(words("rules_text.pile_way_run"))
    if rules.pile_frozen == "always":
        told.append(words("rules_text.pile_always"))
    elif ways:
        key = "rules_text.pile_open_opened" if rules.frozen_unopened else "rules_text.pile_open"
        told.append(words(key, ways=", ".join(ways)))
    told += [words("rules_text.pile_untaken")] if rules.frozen_untaken else []
    told += [] if rules.meld_after_take else [words("rules_text.pile_top_only")]
    if rules.open_pile == "no":
        told.append(words("rules_text.pile_from_hand"))
    elif rules.open_pile == "hand_first":
        told.append(words("rules_text.pile_hand_first"))
    elif not rules.open_count_top:
        told.append(words("rules_text.pile_without_top"))
    if rules.draw_with_pile:
        told.append(words("rules_text.pile_more", count=rules.draw_with_pile))
    if rules.freeze_discards and rules.pile_frozen != "always":
        told.append(words("rules_text.pile_freezes", cards=_value(words, rules.freeze_discards)))
    told.append(words("rules_text.pile_blocks", cards=parameters.value_in(words, rules, "top_blocks")))
    told += [words("rules_text.pile_twos")] if rules.take_twos else []
    return " ".join(told)


def _threes(words: Words, rules: RuleSet) -> str:
    count = 2 * rules.decks
    if rules.red3_role == "penalty":
        return words("rules_text.threes_stay", red=rules.red3_in_hand, black=rules.black3_in_hand)
    told = words(
        "rules_text.threes",
        red_three=rules.red3_values[0],
        red_all=rules.red3_values[count - 1],
        count=count,
        sign=parameters.in_words(words, rules, "red3_sign") + ".",
        timing=parameters.in_words(words, rules, "red3_timing") + ".",
    )
    if rules.black3_role == "bonus":
        told += f" {words('rules_text.threes_of_both')}"
    return f"{told} {words('rules_text.three_kept')}" if rules.keeps_three else told


def _out(words: Words, rules: RuleSet) -> str:
    told = [
        words(
            "rules_text.out",
            canastas=rules.out_canastas,
            bonus=rules.out_bonus,
            concealed=rules.concealed_extra,
            test=_value(words, rules.concealed_test),
        )
        if rules.concealed_extra
        else words("rules_text.out_plainly", canastas=rules.out_canastas, bonus=rules.out_bonus)
    ]
    if rules.out_need:
        told.append(words("rules_text.out_need", kinds=_value(words, rules.out_need)))
    if rules.out_red_threes:
        threes = rules.out_red_threes * max(1, rules.out_canastas)
        told.append(words("rules_text.out_red_threes", threes=threes))
    if rules.out_canastas_before:
        told.append(words("rules_text.out_before"))
    if rules.out_discard != "optional":
        told.append(
            words("rules_text.out_discard" if rules.out_discard == "mandatory" else "rules_text.out_no_discard")
        )
    if rules.out_announce:
        told.append(words("rules_text.announce"))
    return " ".join(told)


def _stock(words: Words, rules: RuleSet) -> str:
    told = [words("rules_text.stock", end=_value(words, rules.stock_end))]
    if rules.last_red3_ends and rules.red3_role == "bonus":
        told.append(words("rules_text.stock_red_three"))
    return " ".join(told)


def _with_notes(words: Words, rules: RuleSet, text: str) -> str:
    """The text with its source, how sure that is and what is open, in one line."""
    notes = NOTES.get(rules.name)
    if notes is None:
        return text
    line = words("rules_text.source", source=note(words, notes.source), sure=words(f"sure.{notes.sure}"))
    points = "; ".join(note(words, point) for point in notes.open_points)
    more = f"{line} {words('rules_text.open_points', points=points)}" if points else line
    return f"{text}\n{more}"
