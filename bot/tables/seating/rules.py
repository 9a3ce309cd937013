"""A lobby's house rules: what happens when its host changes them. Pure, like `bot.tables.seating.seats`.

Choosing what a table is set to: which settings there may be, and a host who chooses others. Pure.

Offers: the rules that a table can be opened with, those of the program and those that a server has saved.

Another game for a lobby: its rules, or how many play them. Pure, like `bot.tables.seating.seats`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from bot.clocks.typed import unfit
from bot.engine.law.house_rules import Unplayable, validate, with_house_rules
from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.rules.themes.composing import (
    MOST_CONDITIONS,
    OWN_THEMES,
    is_complete,
    own_conditions,
    with_condition,
    without_condition,
)
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.library import THEMES, with_themes
from bot.engine.rules.topics import POINTS
from bot.store.errors import Undecodable
from bot.store.game_forms import decode_rules, encode_rules
from bot.store.guilds import SavedRules
from bot.tables.seating.seats import require_changeable, require_host, require_lobby
from bot.tables.state.clocks import IDLE, LATEST_END, MOST_DEALS, MOST_VACATION, TableSettings
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet, RulesChanged, RulesChosen, SettingsChosen
from bot.tables.state.refusals import Detail, RulesRefused, TableCode, TableRefusal
from bot.tables.state.snapshots import EMPTY_SEAT, Caller, SeatHolder
from bot.tables.state.table import Table, TableState, clean_name

RANGES: Final = {
    "deals": (1, MOST_DEALS),
    "vacation": (0, MOST_VACATION),
    "latest_end": LATEST_END,
    "idle": IDLE,
}
"""The lowest and the highest number that each setting may have, by the name of its field."""


def require_settings(settings: TableSettings) -> None:
    """Refuse what no table can be set to: clock_bank, clock_increment, clock_cap, setting_out_of_range."""
    for refusal in _refusals(settings):
        raise refusal


def _refusals(settings: TableSettings) -> Iterator[TableRefusal]:
    for problem in unfit(settings.clock):
        yield TableRefusal(TableCode(problem.value))
    for name, (lowest, highest) in RANGES.items():
        chosen = getattr(settings, name)
        if chosen is not None and not lowest <= chosen <= highest:
            detail: Detail = {"setting": name, "lowest": lowest, "highest": highest}
            yield TableRefusal(TableCode.SETTING_OUT_OF_RANGE, detail)


def choose(table: Table, caller: Caller, settings: TableSettings, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """A lobby's host sets the table to these; one that becomes slow, or is no longer, waits until `expires_at`."""
    require_lobby(table)
    require_host(table, caller)
    require_settings(settings)
    before = table.record.settings
    if settings == before:
        return ()
    chosen = SettingsChosen(settings)
    return (chosen,) if settings.slow == before.slow else (chosen, DeadlineSet(Deadline.EXPIRE, expires_at))


THEMES_OF_RULES: Final = "theme"
"""What the themes are called among the parameters."""

LOWEST_TARGET: Final = 100
HIGHEST_TARGET: Final = 100_000


def change(table: Table, caller: Caller, options: Mapping[str, Any]) -> tuple[AnyEvent, ...]:
    """Play with these parameters, as JSON has them, in place of the lobby's own."""
    require_changeable(table, caller)
    try:
        return _changed(table, with_house_rules(table.record.rules, options))
    except Unplayable as unplayable:
        raise RulesRefused(unplayable.problems) from None


def choose_themes(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Lay these themes of the library over the lobby's rules in place of others; the table's own stay."""
    require_changeable(table, caller)
    own = [theme for theme in table.record.rules.theme if theme.name in OWN_THEMES]
    chosen = themed(table.record.rules, names)
    return _changed(table, replace(chosen, theme=(*chosen.theme, *own)))


def add_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Add a condition to the table's own theme, for every deal or for a deal of its own after the others."""
    require_changeable(table, caller)
    if not is_complete(condition):
        raise TableRefusal(TableCode.CONDITION_INCOMPLETE)
    rules = with_condition(table.record.rules, condition, by_deal=by_deal)
    count = len(own_conditions(rules))
    if count > MOST_CONDITIONS:
        raise TableRefusal(TableCode.TOO_MANY_CONDITIONS, {"conditions": count, "most": MOST_CONDITIONS})
    return _changed(table, rules)


def drop_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Take a condition off the table's own theme; nothing happens where it is not there."""
    require_changeable(table, caller)
    return _changed(table, without_condition(table.record.rules, condition, by_deal=by_deal))


def reset(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Play again with the parameters that the table was opened with; all, and its themes, where none is named."""
    require_changeable(table, caller)
    rules, base = table.record.rules, table.record.base or table.record.rules
    known = {*BY_NAME, THEMES_OF_RULES}
    wanted = known & set(names) if names else known
    return _changed(table, replace(rules, **{name: getattr(base, name) for name in wanted}))


def _changed(table: Table, rules: RuleSet) -> tuple[AnyEvent, ...]:
    require_playable(rules)
    return () if rules == table.record.rules else (RulesChanged(rules),)


def themed(rules: RuleSet, names: Collection[str]) -> RuleSet:
    """The rules with these themes in place of their own. Refusal: unknown_theme."""
    unknown = next((name for name in names if name not in THEMES), None)
    if unknown is not None:
        raise TableRefusal(TableCode.UNKNOWN_THEME, {"name": unknown})
    return with_themes(rules, names)


def require_playable(rules: RuleSet) -> None:
    """Refuse rules that cannot be played: target_out_of_range, rules_unplayable."""
    if not LOWEST_TARGET <= rules.target <= HIGHEST_TARGET or rules.target % POINTS:
        raise TableRefusal(
            TableCode.TARGET_OUT_OF_RANGE,
            {"target": rules.target, "lowest": LOWEST_TARGET, "highest": HIGHEST_TARGET, "multiple": POINTS},
        )
    problems = validate(rules)
    if problems:
        raise RulesRefused(problems)


FIRST_CHOICE: Final = "classic"
"""What is played where nobody has chosen anything."""

USUAL_PLAYERS: Final = 4

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules under a name, with the form for each number of players; `saved` if the server has saved them."""

    name: str
    forms: Mapping[int, RuleSet]
    saved: bool

    @property
    def players(self) -> tuple[int, ...]:
        """How many may play, ascending."""
        return tuple(sorted(self.forms))

    @property
    def usual_players(self) -> int:
        """How many play where nobody says: four, or the fewest that there is a form for."""
        return USUAL_PLAYERS if USUAL_PLAYERS in self.forms else self.players[0]


PROGRAM: Final = tuple(Offer(name, forms, saved=False) for name, forms in RULE_SETS.items())
"""The rule sets of the program."""


def folded(name: str) -> str:
    """A name as it is compared: neither case nor the marks between its words make a difference."""
    return "-".join(clean_name(name, nameless="").casefold().replace("-", " ").replace("_", " ").split())


def saved_offer(saved: SavedRules) -> Offer | None:
    """The offer of what a server has saved; None where this release cannot read it."""
    try:
        rules = decode_rules(json.loads(saved.rules))
    except (Undecodable, ValueError, TypeError):
        _tell_unreadable(saved.guild, saved.folded)
        return None
    return Offer(saved.name, {rules.players: rules}, saved=True)


@lru_cache(maxsize=1024)
def _tell_unreadable(guild: int, _: str) -> None:
    """Once for each; lists are made often."""
    logger.warning("saved rules cannot be read: damaged, or of another version", extra={"server": guild})


def written_rules(rules: RuleSet) -> str:
    """Rules as they are saved."""
    return json.dumps(encode_rules(rules), separators=(",", ":"), ensure_ascii=False)


def named(offers: Iterable[Offer], name: str) -> Offer:
    """The offer of that name; refusal: unknown_rules."""
    wanted = folded(name)
    found = next((offer for offer in offers if folded(offer.name) == wanted), None)
    if found is None:
        raise TableRefusal(TableCode.UNKNOWN_RULES, {"rules": name})
    return found


def form_of(offer: Offer, players: int | None) -> RuleSet:
    """The offer's form for so many players, or for as many as usual; refusal: players_not_offered."""
    wanted = offer.usual_players if players is None else players
    if wanted not in offer.forms:
        numbers = ", ".join(str(count) for count in offer.players)
        detail: Detail = {"rules": offer.name, "players": wanted, "offered": numbers}
        raise TableRefusal(TableCode.PLAYERS_NOT_OFFERED, detail)
    return offer.forms[wanted]


def choose_rules(table: Table, caller: Caller, offer: Offer, players: int | None) -> tuple[AnyEvent, ...]:
    """Play these rules in place of the lobby's own, house rules and themes included.

    Without `players` as many as now, or else as usual, or else the fewest that seat every person who is there.
    """
    require_changeable(table, caller)
    record = table.record
    count = players if players is not None else _fitting(offer, record)
    return _chosen(record, form_of(offer, count), saved_as=offer.name if offer.saved else "")


def set_players(table: Table, caller: Caller, players: int) -> tuple[AnyEvent, ...]:
    """Play the lobby's own rules with so many; what the table has changed in them stays changed."""
    require_changeable(table, caller)
    record = table.record
    base = record.base or record.rules
    offer = offer_of(base, record.saved_as)
    opened = _with_differences(form_of(offer, players), base, offer.forms.get(base.players, base))
    rules = _with_differences(opened, record.rules, base)
    require_playable(rules)
    chosen = _chosen(record, opened, saved_as=record.saved_as)
    return (*chosen, RulesChanged(rules)) if chosen and rules != opened else chosen


def _with_differences(form: RuleSet, rules: RuleSet, before: RuleSet) -> RuleSet:
    """The form with everything that the rules have otherwise than those before them."""
    names = (name for name in (*BY_NAME, THEMES_OF_RULES) if getattr(rules, name) != getattr(before, name))
    return replace(form, **{name: getattr(rules, name) for name in names})


def offer_of(base: RuleSet, saved_as: str) -> Offer:
    """What a table plays as an offer: its rule set, or the rules that its server had saved, which have one form."""
    if saved_as:
        return Offer(saved_as, {base.players: base}, saved=True)
    return Offer(base.name, RULE_SETS.get(base.name, {base.players: base}), saved=False)


def _fitting(offer: Offer, record: TableState) -> int:
    """How many are to play rules that are chosen without a number."""
    wanted = (record.rules.players, offer.usual_players, *offer.players)
    seated = len(record.persons)
    return next((count for count in wanted if count in offer.forms and count >= seated), offer.usual_players)


def _chosen(record: TableState, rules: RuleSet, *, saved_as: str) -> tuple[AnyEvent, ...]:
    if (rules, saved_as) == (record.base or record.rules, record.saved_as):
        return ()
    return (RulesChosen(rules, saved_as, _reseated(record, rules.players)),)


def _reseated(record: TableState, players: int) -> tuple[SeatHolder, ...]:
    """Who sits where at so many seats: whose seat is no more takes an empty one, a person else a computer player's.

    Refusal: too_many_persons.
    """
    if len(record.persons) > players:
        raise TableRefusal(TableCode.TOO_MANY_PERSONS, {"seated": len(record.persons), "players": players})
    seats = [*record.seats[:players], *(EMPTY_SEAT,) * (players - len(record.seats))]
    homeless = [holder for holder in record.seats[players:] if holder.kind != "empty"]
    for holder in sorted(homeless, key=lambda one: one.kind != "person"):
        giving_way = ("empty", "computer") if holder.kind == "person" else ("empty",)
        places = [seat for kind in giving_way for seat, sitting in enumerate(seats) if sitting.kind == kind]
        if places:
            seats[places[0]] = holder
    return tuple(seats)
