"""Rules and settings of a lobby: the rules to choose from, and a host's changes. Pure.

An offer is a rule set of the program, or rules that a guild has saved.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.clocks.clock_notation import clock_problems
from bot.engine.law.rule_conflicts import UnplayableRules, find_rule_problems, with_house_rules
from bot.engine.rules.parameter_declarations import POINTS
from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.named_themes import THEMES, with_themes
from bot.engine.rules.themes.own_themes import (
    MOST_CONDITIONS,
    OWN_THEMES,
    is_condition_complete,
    own_conditions,
    with_condition,
    without_condition,
)
from bot.store.errors import UndecodableData
from bot.store.game_forms import decode_rules, encode_rules
from bot.store.guilds import SavedRules
from bot.tables.seating.seats import require_changeable_rules, require_host, require_lobby
from bot.tables.state.clocks import IDLE, LATEST_END, MOST_DEALS, MOST_VACATION, Level, TableSettings
from bot.tables.state.events import (
    AnyEvent,
    Deadline,
    DeadlineSet,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SettingsChosen,
)
from bot.tables.state.refusals import Detail, RulesRefused, TableCode, TableRefusal
from bot.tables.state.snapshots import EMPTY_SEAT, Caller, SeatHolder
from bot.tables.state.table import Table, TableState, clean_name

RANGES: Final = {
    "deals": (1, MOST_DEALS),
    "vacation": (0, MOST_VACATION),
    "latest_end": LATEST_END,
    "idle": IDLE,
}
"""The lowest and the highest value of each setting, by the name of its field."""


def require_settings(settings: TableSettings) -> None:
    """Refuse impossible settings of a table.

    Refusals: clock_bank, clock_increment, clock_cap, setting_out_of_range.
    """
    for refusal in _setting_refusals(settings):
        raise refusal


def _setting_refusals(settings: TableSettings) -> Iterator[TableRefusal]:
    """Yield a refusal for each impossible setting."""
    for problem in clock_problems(settings.clock):
        yield TableRefusal(TableCode(problem.value))
    for name, (lowest, highest) in RANGES.items():
        chosen = getattr(settings, name)
        if chosen is not None and not lowest <= chosen <= highest:
            detail: Detail = {"setting": name, "lowest": lowest, "highest": highest}
            yield TableRefusal(TableCode.SETTING_OUT_OF_RANGE, detail)


def choose_settings(table: Table, caller: Caller, settings: TableSettings, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """Set the lobby's settings.

    If the table turns from slow to fast or back, the lobby closes at `expires_at`.
    """
    require_lobby(table)
    require_host(table, caller)
    require_settings(settings)
    before = table.record.settings
    if settings == before:
        return ()
    chosen = (SettingsChosen(settings), *_set_computer_levels(table.record, before.level, settings.level))
    return chosen if settings.is_slow == before.is_slow else (*chosen, DeadlineSet(Deadline.EXPIRE, expires_at))


def _set_computer_levels(record: TableState, before: Level, level: Level) -> Iterator[AnyEvent]:
    """Give all computer players of the table a new level, if the table's level has changed."""
    for seat, holder in enumerate(record.seats):
        if level != before and holder.kind == "computer":
            yield SeatChanged(seat, replace(holder, level=level))


THEMES_OF_RULES: Final = "theme"
"""Name of the rule parameter that holds the themes."""

LOWEST_TARGET: Final = 100
HIGHEST_TARGET: Final = 100_000


def change_rules(table: Table, caller: Caller, options: Mapping[str, Any]) -> tuple[AnyEvent, ...]:
    """Change these parameters of the lobby's rules; the values are as in JSON."""
    require_changeable_rules(table, caller)
    try:
        return _change_of_rules(table, with_house_rules(table.record.rules, options))
    except UnplayableRules as unplayable:
        raise RulesRefused(unplayable.problems) from None


def choose_themes(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Set the library themes of a lobby, replacing others; the table's own theme stays."""
    require_changeable_rules(table, caller)
    own = [theme for theme in table.record.rules.theme if theme.name in OWN_THEMES]
    chosen = apply_themes(table.record.rules, names)
    return _change_of_rules(table, replace(chosen, theme=(*chosen.theme, *own)))


def add_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Add a condition to the table's own theme: for every deal, or `by_deal` for one further deal."""
    require_changeable_rules(table, caller)
    if not is_condition_complete(condition):
        raise TableRefusal(TableCode.CONDITION_INCOMPLETE)
    rules = with_condition(table.record.rules, condition, by_deal=by_deal)
    count = len(own_conditions(rules))
    if count > MOST_CONDITIONS:
        raise TableRefusal(TableCode.TOO_MANY_CONDITIONS, {"conditions": count, "most": MOST_CONDITIONS})
    return _change_of_rules(table, rules)


def drop_condition(table: Table, caller: Caller, condition: Condition, *, by_deal: bool) -> tuple[AnyEvent, ...]:
    """Remove a condition from the table's own theme; nothing happens if it is not there."""
    require_changeable_rules(table, caller)
    return _change_of_rules(table, without_condition(table.record.rules, condition, by_deal=by_deal))


def reset_rules(table: Table, caller: Caller, names: Collection[str]) -> tuple[AnyEvent, ...]:
    """Reset the parameters in `names` to the values with which the table was opened; without names, all.

    The name `theme` resets the themes.
    """
    require_changeable_rules(table, caller)
    rules, base = table.record.rules, table.record.base or table.record.rules
    known = {*BY_NAME, THEMES_OF_RULES}
    wanted = known & set(names) if names else known
    return _change_of_rules(table, replace(rules, **{name: getattr(base, name) for name in wanted}))


def _change_of_rules(table: Table, rules: RuleSet) -> tuple[AnyEvent, ...]:
    """Return the event that gives the lobby these rules; none if the table has them already."""
    require_playable(rules)
    return () if rules == table.record.rules else (RulesChanged(rules),)


def apply_themes(rules: RuleSet, names: Collection[str]) -> RuleSet:
    """Return the rules with these themes instead of their own. Refusal: unknown_theme."""
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
    problems = find_rule_problems(rules)
    if problems:
        raise RulesRefused(problems)


FIRST_CHOICE: Final = "classic"
"""The default rules."""

USUAL_PLAYERS: Final = 4

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RulesOffer:
    """Rules offered under a name, with the `RuleSet` for each number of players.

    It is `saved` if the guild saved them.
    """

    name: str
    forms: Mapping[int, RuleSet]
    saved: bool

    @property
    def players(self) -> tuple[int, ...]:
        """The possible numbers of players, ascending."""
        return tuple(sorted(self.forms))

    @property
    def usual_players(self) -> int:
        """The default number of players: four, or else the smallest number of the offer."""
        return USUAL_PLAYERS if USUAL_PLAYERS in self.forms else self.players[0]


PROGRAM: Final = tuple(RulesOffer(name, forms, saved=False) for name, forms in RULE_SETS.items())
"""The rule sets of the program."""


def comparison_key(name: str) -> str:
    """Return the name in the form in which names are compared.

    Case does not count, and spaces, hyphens and underscores are the same.
    """
    return "-".join(clean_name(name, nameless="").casefold().replace("-", " ").replace("_", " ").split())


def saved_offer(saved: SavedRules) -> RulesOffer | None:
    """Return the offer of saved rules; None if they cannot be read."""
    try:
        rules = decode_rules(json.loads(saved.rules))
    except (UndecodableData, ValueError, TypeError, KeyError):
        return None
    return RulesOffer(saved.name, {rules.players: rules}, saved=True)


def write_rules(rules: RuleSet) -> str:
    """Return the rules as JSON text for saving."""
    return json.dumps(encode_rules(rules), separators=(",", ":"), ensure_ascii=False)


def find_offer(offers: Iterable[RulesOffer], name: str) -> RulesOffer:
    """Return the offer of that name; refusal: unknown_rules."""
    wanted = comparison_key(name)
    found = next((offer for offer in offers if comparison_key(offer.name) == wanted), None)
    if found is None:
        raise TableRefusal(TableCode.UNKNOWN_RULES, {"rules": name})
    return found


def rules_for_players(offer: RulesOffer, players: int | None) -> RuleSet:
    """Return the offer's rules for that number of players, or the usual number.

    Refusal: players_not_offered.
    """
    wanted = offer.usual_players if players is None else players
    if wanted not in offer.forms:
        numbers = ", ".join(str(count) for count in offer.players)
        detail: Detail = {"rules": offer.name, "players": wanted, "offered": numbers}
        raise TableRefusal(TableCode.PLAYERS_NOT_OFFERED, detail)
    return offer.forms[wanted]


def choose_rules(table: Table, caller: Caller, offer: RulesOffer, players: int | None) -> tuple[AnyEvent, ...]:
    """Replace the lobby's rules, house rules and themes by those of the offer.

    Without `players` the number stays if possible, else it is the usual one, else the smallest that seats everyone.
    """
    require_changeable_rules(table, caller)
    record = table.record
    count = players if players is not None else _fitting_number_of_players(offer, record)
    return _choice_of_rules(record, rules_for_players(offer, count), saved_as=offer.name if offer.saved else "")


def set_players(table: Table, caller: Caller, players: int) -> tuple[AnyEvent, ...]:
    """Set the number of players; parameters that the table has changed keep their values."""
    require_changeable_rules(table, caller)
    record = table.record
    base = record.base or record.rules
    offer = rules_offer_of(base, record.saved_as)
    opened = _with_changed_parameters(rules_for_players(offer, players), base, offer.forms.get(base.players, base))
    rules = _with_changed_parameters(opened, record.rules, base)
    require_playable(rules)
    chosen = _choice_of_rules(record, opened, saved_as=record.saved_as)
    return (*chosen, RulesChanged(rules)) if chosen and rules != opened else chosen


def _with_changed_parameters(form: RuleSet, rules: RuleSet, before: RuleSet) -> RuleSet:
    """Return the rules `form` with the values in which `rules` differ from `before`."""
    names = (name for name in (*BY_NAME, THEMES_OF_RULES) if getattr(rules, name) != getattr(before, name))
    return replace(form, **{name: getattr(rules, name) for name in names})


def rules_offer_of(base: RuleSet, saved_as: str) -> RulesOffer:
    """Return a table's rules as an offer: a built-in rule set, or saved rules for one number of players."""
    if saved_as:
        return RulesOffer(saved_as, {base.players: base}, saved=True)
    return RulesOffer(base.name, RULE_SETS.get(base.name, {base.players: base}), saved=False)


def _fitting_number_of_players(offer: RulesOffer, record: TableState) -> int:
    """Return the number of players to use with the offer if the host has chosen none."""
    wanted = (record.rules.players, offer.usual_players, *offer.players)
    seated = len(record.persons)
    return next((count for count in wanted if count in offer.forms and count >= seated), offer.usual_players)


def _choice_of_rules(record: TableState, rules: RuleSet, *, saved_as: str) -> tuple[AnyEvent, ...]:
    """Return the event that chooses these rules for the lobby; none if the table has them already."""
    if (rules, saved_as) == (record.base or record.rules, record.saved_as):
        return ()
    return (RulesChosen(rules, saved_as, _holders_for_players(record, rules.players)),)


def _holders_for_players(record: TableState, players: int) -> tuple[SeatHolder, ...]:
    """Return the holders for that number of seats; a holder whose seat is dropped gets an empty one.

    A person may also get a computer player's seat. Refusal: too_many_persons.
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
