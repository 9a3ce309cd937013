"""The service for rules: built-in rule sets, rules saved by a guild, changes of a lobby's rules."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.named_themes import write_condition
from bot.store.guilds import SavedRules
from bot.tables.context import TableContext
from bot.tables.seating import lobby_rules
from bot.tables.seating.lobby_rules import RulesOffer
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table, clean_name

_DEFAULT: Final = "rules"
"""Name of the guild's preference for its default rules."""


class RulesService:
    """Requests about rules. The caller checks who may change a guild's rules."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        # Serialises saving, because saved rules are counted before one is added.
        self._saving = asyncio.Lock()

    # --- rules on offer ----------------------------------------------------------------------------------------------

    async def saved_rules(self, guild: int) -> tuple[RulesOffer, ...]:
        """Return the rules that a guild has saved, ordered by name."""
        found = []
        for saved in await self._context.store.guilds.saved_rules(guild):
            offer = lobby_rules.saved_offer(saved)
            if offer is None:
                self._context.store.set_aside.note("saved_rules", guild, "damaged, or of another version", server=guild)
            else:
                found.append(offer)
        return tuple(found)

    async def offered_rules(self, guild: int) -> tuple[RulesOffer, ...]:
        """Return all rules with which a table in a guild can be opened, those saved by the guild first."""
        return (*await self.saved_rules(guild), *lobby_rules.PROGRAM)

    async def rules_named(self, guild: int, name: str | None) -> RulesOffer:
        """Return the rules of that name; without a name, the guild's default rules. Refusal: unknown_rules."""
        offered = await self.offered_rules(guild)
        if name is not None:
            return lobby_rules.find_offer(offered, name)
        return await self._default_offer(guild, offered)

    async def default_rules(self, guild: int) -> RulesOffer:
        """Return the guild's default rules for new tables."""
        return await self._default_offer(guild, await self.offered_rules(guild))

    async def _default_offer(self, guild: int, offered: Collection[RulesOffer]) -> RulesOffer:
        """Return the guild's default rules among those offered; the classic rules if it has no valid default."""
        chosen = (await self._context.store.preferences.load("server", guild)).get(_DEFAULT, lobby_rules.FIRST_CHOICE)
        try:
            return lobby_rules.find_offer(offered, chosen)
        except TableRefusal:
            return lobby_rules.find_offer(offered, lobby_rules.FIRST_CHOICE)

    # --- rules saved by a guild --------------------------------------------------------------------------------------

    async def save_rules(self, caller: Caller, table: int, name: str) -> tuple[RulesOffer, bool]:
        """Save a table's rules for the guild; return them and whether they replaced saved rules of that name.

        Refusals: rules_name_empty, rules_name_taken, too_many_rules.
        """
        self._context.count_request(caller)
        guild = _guild_of(caller)
        current_table = await self._context.repository.get(table)
        if current_table.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        cleaned = clean_name(name, nameless="")
        key = lobby_rules.comparison_key(cleaned)
        if not key:
            raise TableRefusal(TableCode.RULES_NAME_EMPTY)
        if key in {lobby_rules.comparison_key(offer.name) for offer in lobby_rules.PROGRAM}:
            raise TableRefusal(TableCode.RULES_NAME_TAKEN, {"name": cleaned})
        async with self._saving:
            replaced = await self._require_below_rules_limit(guild, key)
            await self._context.store.guilds.save_rules(
                self._rules_to_save(caller, key, cleaned, current_table.record.rules)
            )
        return RulesOffer(
            cleaned, {current_table.record.rules.players: current_table.record.rules}, saved=True
        ), replaced

    async def _require_below_rules_limit(self, guild: int, key: str) -> bool:
        """Return whether saved rules of that name exist; if not, refuse when the guild has no room for more."""
        saved = await self._context.store.guilds.saved_rules(guild)
        if any(one.folded == key for one in saved):
            return True
        allowed = self._context.limits.rules_per_guild
        if len(saved) >= allowed:
            raise TableRefusal(TableCode.TOO_MANY_RULES, {"saved": len(saved), "allowed": allowed})
        return False

    def _rules_to_save(self, caller: Caller, key: str, name: str, rules: RuleSet) -> SavedRules:
        """Return the rules in the form in which the store saves them."""
        return SavedRules(
            guild=_guild_of(caller),
            folded=key,
            name=name,
            rules=lobby_rules.write_rules(rules),
            saved_by=caller.person,
            saved_at=self._context.clock.now(),
        )

    async def forget_rules(self, caller: Caller, name: str) -> RulesOffer:
        """Delete saved rules of the guild; tables already using them go on. Refusal: unknown_rules."""
        self._context.count_request(caller)
        guild = _guild_of(caller)
        offer = lobby_rules.find_offer(await self.saved_rules(guild), name)
        if await self.default_rules(guild) == offer:
            await self._context.store.preferences.set("server", guild, {_DEFAULT: None})
        await self._context.store.guilds.forget_rules(guild, lobby_rules.comparison_key(offer.name))
        return offer

    async def choose_default_rules(self, caller: Caller, name: str) -> RulesOffer:
        """Set the guild's default rules for new tables. Refusal: unknown_rules."""
        self._context.count_request(caller)
        guild = _guild_of(caller)
        offer = await self.rules_named(guild, name)
        await self._context.store.preferences.set("server", guild, {_DEFAULT: lobby_rules.comparison_key(offer.name)})
        return offer

    # --- rules of a lobby --------------------------------------------------------------------------------------------

    async def choose_rules(self, caller: Caller, table: int, name: str, players: int | None = None) -> TableSnapshot:
        """Give a lobby the rules of that name, and drop its house rules and own themes.

        Without `players` the number stays if possible, else it is the usual one, else the smallest that seats everyone.
        Players keep their seats as far as there are seats. Refusals: unknown_rules, players_not_offered,
        too_many_persons, and as `change_rules`.
        """

        async def decide_events(current_table: Table) -> Decision:
            offer = await self.rules_named(current_table.guild, name)
            return Decision(lobby_rules.choose_rules(current_table, caller, offer, players))

        return await self._context.change(
            table, TableRequest("choose_rules", {"rules": name, "players": players}, caller=caller), decide_events
        )

    async def set_players(self, caller: Caller, table: int, players: int) -> TableSnapshot:
        """Set the number of players of a lobby; parameters that the table has changed keep their values.

        Refusals: players_not_offered, too_many_persons, and as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("set_players", {"players": players}, caller=caller),
            lambda current_table: Decision(lobby_rules.set_players(current_table, caller, players)),
        )

    async def change_rules(self, caller: Caller, table: int, options: Mapping[str, Any]) -> TableSnapshot:
        """Change these parameters of a lobby's rules; the values are as in JSON.

        Refusals: not_host, already_started, table_closed, game_finished, target_out_of_range, and `RulesRefused` with
        every reason.
        """
        return await self._context.change(
            table,
            TableRequest("change_rules", {"options": dict(options)}, caller=caller),
            lambda current_table: Decision(lobby_rules.change_rules(current_table, caller, options)),
        )

    async def choose_themes(self, caller: Caller, table: int, names: Collection[str]) -> TableSnapshot:
        """Set the library themes of a lobby, replacing others; the table's own theme stays.

        Refusals: unknown_theme, and as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("choose_themes", {"names": list(names)}, caller=caller),
            lambda current_table: Decision(lobby_rules.choose_themes(current_table, caller, names)),
        )

    async def add_condition(self, caller: Caller, table: int, condition: Condition, *, by_deal: bool) -> TableSnapshot:
        """Add a condition to the lobby's own theme: for every deal, or `by_deal` for one further deal.

        Refusals: condition_incomplete, too_many_conditions, and as `change_rules`.
        """
        request = {"condition": write_condition(condition), "by_deal": by_deal}
        return await self._context.change(
            table,
            TableRequest("add_condition", request, caller=caller),
            lambda current_table: Decision(
                lobby_rules.add_condition(current_table, caller, condition, by_deal=by_deal)
            ),
        )

    async def drop_condition(self, caller: Caller, table: int, condition: Condition, *, by_deal: bool) -> TableSnapshot:
        """Remove a condition from a lobby's own theme. Refusals as `change_rules`."""
        request = {"condition": write_condition(condition), "by_deal": by_deal}
        return await self._context.change(
            table,
            TableRequest("drop_condition", request, caller=caller),
            lambda current_table: Decision(
                lobby_rules.drop_condition(current_table, caller, condition, by_deal=by_deal)
            ),
        )

    async def reset_rules(self, caller: Caller, table: int, names: Collection[str] = ()) -> TableSnapshot:
        """Reset the parameters in `names` to the values with which the table was opened; without names, all.

        The name `theme`

        The name `theme` resets the themes. Refusals as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("reset_rules", {"names": sorted(names)}, caller=caller),
            lambda current_table: Decision(lobby_rules.reset_rules(current_table, caller, names)),
        )


def _guild_of(caller: Caller) -> int:
    """Return the caller's guild. Refusal: wrong_server."""
    if caller.guild is None:
        raise TableRefusal(TableCode.WRONG_SERVER, {"table": 0})
    return caller.guild
