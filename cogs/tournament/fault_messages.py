"""Notifies directors of faults at a tournament, and lets them retry (`docs/tournaments.md` 2)."""

from __future__ import annotations

from bot.i18n import Words, words
from bot.outbox import Promised, PromiseKind, PromiseMustWait
from bot.profiles.preferences import PreferencesService
from bot.tournaments.core.faults import READ, Fault, FaultKey, Outline
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.service import TournamentService
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import PRIMARY, Page, button, button_row, page, text, text_page
from cogs.shared.discord_api.discord_calls import FailedCall
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.posting.direct_messages import UNREACHED
from cogs.shared.posting.outbox_tasks import LIFETIME, require_success
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.shared.telling import names
from cogs.shared.telling.status_text import discord_timestamp
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.sender import TournamentSender

LONGEST_NAME = 60


class FaultNews:
    """Sends news of a fault to every director, or to the channel if none of them can be reached."""

    def __init__(self, tournaments: TournamentService, profiles: PreferencesService, sending: TournamentSender) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._sending = sending

    def outbox_handler(self) -> PromiseKind:
        """Return the handler with which the outbox sends messages about faults."""
        return PromiseKind(self.send_fault_news, LIFETIME, online=True)

    async def send_fault_news(self, row: Promised) -> None:
        """Send a message on the fault of an outbox row: its present state, or that it is over."""
        number, what, subject = row.key.split(":")
        fault, outline = await self._tournaments.alarms.fault_with_outline(int(number), (what, int(subject)))
        if fault is None or outline is None:
            return
        if self._sending.guild_of(outline) is None:
            raise PromiseMustWait
        nonce = f"o{row.id}.{row.generation}"
        table = await self._round_and_table(fault)
        catalogue = self._sending.words_of(outline)
        told = [
            await self._send_fault(person, outline, fault, table, f"{nonce}.{person}") for person in outline.directors
        ]
        if not any(told):
            shown = fault_page(catalogue, outline, fault, table)
            require_success(await self._sending.post_once(outline, shown, nonce))
        if fault.mended:
            await self._tournaments.alarms.delete_ended_fault(fault)

    async def _send_fault(
        self, person: int, outline: Outline, fault: Fault, table: tuple[int, int], nonce: str
    ) -> bool:
        """Send the fault to a director; return whether they could be reached."""
        preferences = await self._profiles.preferences_of(person)
        own = words(preferences.language) if preferences.language != "discord" else self._sending.words_of(outline)
        failed = await self._sending.send_direct(person, fault_page(own, outline, fault, table), nonce, opens=True)
        if isinstance(failed, FailedCall) and failed.trouble in UNREACHED:
            return False
        require_success(failed)
        return True

    async def _round_and_table(self, fault: Fault) -> tuple[int, int]:
        """Return the round and table of a fault about a match, each 0 if unknown."""
        try:
            tournament = await self._tournaments.overview.get_tournament(fault.tournament)
            match = tournament.match(fault.subject)
        except (TournamentRefusal, KeyError):
            return 0, 0
        return match.round, match.table


def fault_page(words: Words, outline: Outline, fault: Fault, table: tuple[int, int]) -> Page:
    """Return the message about a fault: what failed, when it is retried, and what a director can do."""
    name = _outline_name(words, outline)
    about = {"number": fault.subject, "round": table[0], "table": table[1]}
    said = {"name": name, "code": fault.code, "when": discord_timestamp(fault.again_at, "t"), "tries": fault.tries}
    if fault.what == READ:
        code = "fault.readable" if fault.mended else "fault.unreadable"
        lines = words(code, **said, number=outline.id)
    else:
        what = words(f"fault_what.{fault.what}", **about)
        code = "fault.works" if fault.mended else "fault.failed" if fault.tries == 1 else "fault.again"
        lines = words(code, **said, what=what)
    if fault.mended:
        return text_page(lines)
    again = control(fault.tournament, "t_try", *fault.what.split("_"), fault.subject)
    row = button_row(
        button(again, words("fault.try_now"), style=PRIMARY),
        button(control(fault.tournament, "desk_pause"), words("desk_button.pause"), enabled=fault.what != READ),
        button(control(fault.tournament, "desk"), words("fault.open_desk"), enabled=fault.what != READ),
    )
    return page([text(lines), *([] if row is None else [row])])


def unreadable_line(words: Words, outline: Outline) -> str:
    """Return a list's line for a tournament whose stored data cannot be read."""
    return words("fault.listed", name=_outline_name(words, outline), number=outline.id)


def _outline_name(words: Words, outline: Outline) -> str:
    return names.escape_name(outline.name, longest=LONGEST_NAME) if outline.name else words("fault.nameless")


class FaultControls:
    """The handler of the button *Try now* under a message about a fault."""

    def __init__(self, context: Context) -> None:
        self.tournaments = context.tournaments
        context.router.add("t_try", self.retry_now)

    async def retry_now(self, interaction: Interaction, control_id: ControlId, _chosen: tuple[str, ...]) -> None:
        """Try again what failed, because a director asked for it."""
        link = link_of(control_id)
        words = interactions.words_for(interaction)
        await self.tournaments.alarms.require_director(interaction.user.id, link.tournament)
        key: FaultKey = ("_".join(link.rest[:-1]), link.argument_number(len(link.rest) - 1))
        works = await self.tournaments.alarms.retry_task(interaction.user.id, link.tournament, key)
        fault, outline = await self.tournaments.alarms.fault_with_outline(link.tournament, key)
        if works or fault is None or outline is None:
            await interactions.show_page(interaction, text_page(words("fault.done")))
            return
        await interactions.show_page(interaction, fault_page(words, outline, fault, (0, 0)))
