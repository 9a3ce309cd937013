"""Another game for a lobby: its rules, or how many play them. Pure, like `bot.tables.lobby`."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.tables.events import AnyEvent, RulesChanged, RulesChosen
from bot.tables.lobby import require_changeable
from bot.tables.lobby_rules import THEMES_OF_RULES, require_playable
from bot.tables.looks import EMPTY_SEAT, Caller, SeatHolder
from bot.tables.offers import Offer, form_of
from bot.tables.record import Table, TableState
from bot.tables.refusals import TableCode, TableRefusal


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
