"""The rules' part of the table service: what is offered, what a server saves, what a lobby changes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.library import written_condition
from bot.store.guilds import SavedRules
from bot.tables.context import TableContext
from bot.tables.seating import rules as lobby_rules
from bot.tables.seating import rules as offers
from bot.tables.seating import rules as rule_choice
from bot.tables.seating.rules import Offer
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table, clean_name

_DEFAULT: Final = "rules"
"""The name of the server's choice of what is played where nobody says."""


class RulesService:
    """What can be asked about rules. Who may save a server's rules, the caller's side knows."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        # Saved rules are counted before one is added, so only one is at a time.
        self._saving = asyncio.Lock()

    # --- what is offered ---------------------------------------------------------------------------------------------

    async def saved_rules(self, guild: int) -> tuple[Offer, ...]:
        """The rules that a server has saved, by name."""
        found = [offers.saved_offer(saved) for saved in await self._context.store.guilds.saved_rules(guild)]
        return tuple(offer for offer in found if offer is not None)

    async def offered_rules(self, guild: int) -> tuple[Offer, ...]:
        """All rules that a table in a server can be opened with, its own first."""
        return (*await self.saved_rules(guild), *offers.PROGRAM)

    async def rules_named(self, guild: int, name: str | None) -> Offer:
        """The rules of that name, or those that are played where nobody says. Refusal: unknown_rules."""
        offered = await self.offered_rules(guild)
        if name is not None:
            return offers.named(offered, name)
        return await self._default_of(guild, offered)

    async def default_rules(self, guild: int) -> Offer:
        """The rules that a table is opened with where nobody says."""
        return await self._default_of(guild, await self.offered_rules(guild))

    async def _default_of(self, guild: int, offered: Collection[Offer]) -> Offer:
        """The server's choice; the classic laws where it has made none, or forgotten what it chose."""
        chosen = (await self._context.store.preferences.load("server", guild)).get(_DEFAULT, offers.FIRST_CHOICE)
        try:
            return offers.named(offered, chosen)
        except TableRefusal:
            return offers.named(offered, offers.FIRST_CHOICE)

    # --- what a server saves -----------------------------------------------------------------------------------------

    async def save_rules(self, caller: Caller, table: int, name: str) -> tuple[Offer, bool]:
        """Keep a table's rules as the server's own, and whether that replaced others of the name.

        Refusals: rules_name_empty, rules_name_taken, too_many_rules.
        """
        self._context.spend(caller)
        guild = _server(caller)
        found = await self._context.repository.get(table)
        if found.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        cleaned = clean_name(name, nameless="")
        key = offers.folded(cleaned)
        if not key:
            raise TableRefusal(TableCode.RULES_NAME_EMPTY)
        if key in {offers.folded(offer.name) for offer in offers.PROGRAM}:
            raise TableRefusal(TableCode.RULES_NAME_TAKEN, {"name": cleaned})
        async with self._saving:
            replaced = await self._require_room_for(guild, key)
            await self._context.store.guilds.save_rules(self._saved(caller, key, cleaned, found.record.rules))
        return Offer(cleaned, {found.record.rules.players: found.record.rules}, saved=True), replaced

    async def _require_room_for(self, guild: int, key: str) -> bool:
        """Whether the name is in use already; refusal: too_many_rules."""
        saved = await self._context.store.guilds.saved_rules(guild)
        if any(one.folded == key for one in saved):
            return True
        allowed = self._context.limits.rules_per_guild
        if len(saved) >= allowed:
            raise TableRefusal(TableCode.TOO_MANY_RULES, {"saved": len(saved), "allowed": allowed})
        return False

    def _saved(self, caller: Caller, key: str, name: str, rules: RuleSet) -> SavedRules:
        return SavedRules(
            guild=_server(caller),
            folded=key,
            name=name,
            rules=offers.written_rules(rules),
            saved_by=caller.person,
            saved_at=self._context.clock.now(),
        )

    async def forget_rules(self, caller: Caller, name: str) -> Offer:
        """Keep rules of the server no longer; tables that play them go on. Refusal: unknown_rules."""
        self._context.spend(caller)
        guild = _server(caller)
        offer = offers.named(await self.saved_rules(guild), name)
        if await self.default_rules(guild) == offer:
            await self._context.store.preferences.set("server", guild, {_DEFAULT: None})
        await self._context.store.guilds.forget_rules(guild, offers.folded(offer.name))
        return offer

    async def choose_default_rules(self, caller: Caller, name: str) -> Offer:
        """Open the server's tables with these rules where nobody says which. Refusal: unknown_rules."""
        self._context.spend(caller)
        guild = _server(caller)
        offer = await self.rules_named(guild, name)
        await self._context.store.preferences.set("server", guild, {_DEFAULT: offers.folded(offer.name)})
        return offer

    # --- what a lobby changes ----------------------------------------------------------------------------------------

    async def choose_rules(self, caller: Caller, table: int, name: str, players: int | None = None) -> TableSnapshot:
        """Play other rules in a lobby: those of that name, without house rules or themes of the table's own.

        Without `players` as many as now, or else as usual, or else the fewest that seat every person who is there.
        Persons keep their seats as far as there are seats. Refusals: unknown_rules, players_not_offered,
        too_many_persons, and as `change_rules`.
        """

        async def decide(found: Table) -> Decision:
            offer = await self.rules_named(found.guild, name)
            return Decision(rule_choice.choose_rules(found, caller, offer, players))

        return await self._context.change(
            table, TableRequest("choose_rules", {"rules": name, "players": players}, caller=caller), decide
        )

    async def set_players(self, caller: Caller, table: int, players: int) -> TableSnapshot:
        """Let so many play a lobby's rules; what the table has changed in them stays changed.

        Refusals: players_not_offered, too_many_persons, and as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("set_players", {"players": players}, caller=caller),
            lambda found: Decision(rule_choice.set_players(found, caller, players)),
        )

    async def change_rules(self, caller: Caller, table: int, options: Mapping[str, Any]) -> TableSnapshot:
        """Play a lobby's game with these parameters, as JSON has them, in place of its own.

        Refusals: not_host, already_started, table_closed, game_finished, target_out_of_range, and
        `RulesRefused` with every reason.
        """
        return await self._context.change(
            table,
            TableRequest("change_rules", {"options": dict(options)}, caller=caller),
            lambda found: Decision(lobby_rules.change(found, caller, options)),
        )

    async def choose_themes(self, caller: Caller, table: int, names: Collection[str]) -> TableSnapshot:
        """Lay these themes of the library over a lobby's rules in place of others; the table's own stay.

        Refusals: unknown_theme, and as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("choose_themes", {"names": list(names)}, caller=caller),
            lambda found: Decision(lobby_rules.choose_themes(found, caller, names)),
        )

    async def add_condition(self, caller: Caller, table: int, condition: Condition, *, by_deal: bool) -> TableSnapshot:
        """Add a condition to a lobby's own theme, for every deal or for a deal of its own after the others.

        Refusals: condition_incomplete, too_many_conditions, and as `change_rules`.
        """
        asked = {"condition": written_condition(condition), "by_deal": by_deal}
        return await self._context.change(
            table,
            TableRequest("add_condition", asked, caller=caller),
            lambda found: Decision(lobby_rules.add_condition(found, caller, condition, by_deal=by_deal)),
        )

    async def drop_condition(self, caller: Caller, table: int, condition: Condition, *, by_deal: bool) -> TableSnapshot:
        """Take a condition off a lobby's own theme. Refusals as `change_rules`."""
        asked = {"condition": written_condition(condition), "by_deal": by_deal}
        return await self._context.change(
            table,
            TableRequest("drop_condition", asked, caller=caller),
            lambda found: Decision(lobby_rules.drop_condition(found, caller, condition, by_deal=by_deal)),
        )

    async def reset_rules(self, caller: Caller, table: int, names: Collection[str] = ()) -> TableSnapshot:
        """Play with these parameters as the table was opened with them, or with all and its themes.

        `theme` names the themes. Refusals as `change_rules`.
        """
        return await self._context.change(
            table,
            TableRequest("reset_rules", {"names": sorted(names)}, caller=caller),
            lambda found: Decision(lobby_rules.reset(found, caller, names)),
        )


def _server(caller: Caller) -> int:
    if caller.guild is None:
        raise TableRefusal(TableCode.WRONG_SERVER, {"table": 0})
    return caller.guild
