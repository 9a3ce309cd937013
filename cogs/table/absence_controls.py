"""The buttons for absent players' seats, and those for people without a seat at the table."""

from __future__ import annotations

from bot.tables.state.absence import AbsenceChoice, ClaimKind, EndChoice
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import panel, unseated_people
from cogs.shared.serving.context import Context
from cogs.shared.serving.late_presses import TOO_LATE, request_unless_already_decided
from cogs.shared.showing.lost_seat_page import lost_seat_page
from cogs.shared.showing.paused_games import already_decided_page
from cogs.shared.telling import names, status_text
from cogs.shared.telling.play_text import welcome_back_text
from cogs.shared.telling.settled_question_text import (
    decided_claim_text,
    decided_seat_text,
    decided_status_text,
    decided_vote_text,
    opponent_back_text,
)

Chosen = tuple[str, ...]


class AbsenceControls:
    """Handlers of votes on absent players' seats, of requests for a seat, and of watching."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "vote_wait": self.cast_vote,
            "vote_computer": self.cast_vote,
            "vote_substitute": self.cast_vote,
            "vote_end": self.cast_vote,
            "seat_yes": self.answer_seat_request,
            "seat_no": self.answer_seat_request,
            "take_seat": self.ask_for_seat,
            "back": self.return_to_seat,
            "keep_game": self.keep_game,
            "im_back": self.confirm_return,
            **{f"pick_{choice.value}": self.choose_how_game_ends for choice in EndChoice},
            "watch": self.watch_table,
            "watch_yes": self.set_spectator_messages,
            "watch_no": self.set_spectator_messages,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)
        context.router.set_seatless_handler(self.show_lost_seat)

    async def show_lost_seat(self, interaction: Interaction, table: int) -> bool:
        """Show who plays the seat that the person has lost; return False if they never had one."""
        snapshot = await self.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
        page = lost_seat_page(interactions.words_for(interaction), snapshot, interaction.user.id)
        if page is not None:
            await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))
        return page is not None

    async def cast_vote(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Vote on what happens with an absent player's seat; a later vote replaces an earlier one."""
        choice = AbsenceChoice(control.action.removeprefix("vote_"))
        seat, asked_at = _parse_numbers(control.argument, 2)
        caller = interactions.caller_of(interaction)
        asking = self.tables.absence.cast_vote(caller, control.table, choice, asked_at=asked_at)
        snapshot = await request_unless_already_decided(
            self.context, interaction, control, asking, lambda said, at, since: decided_vote_text(said, at, seat, since)
        )
        if snapshot is None:
            return
        words = interactions.words_for(interaction)
        is_open = snapshot.vote is not None and snapshot.vote.at == asked_at
        text = words(f"absence.{choice.value}")
        said = words("absence.voted" if is_open else "absence.decided", choice=text)
        await interactions.answer_privately(interaction, said)

    async def answer_seat_request(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Answer yes or no to a person who asks for a seat."""
        seat, asked_at = _parse_numbers(control.argument, 2)
        agrees = control.action == "seat_yes"
        caller = interactions.caller_of(interaction)
        asking = self.tables.absence.answer_claim(caller, control.table, seat, agrees=agrees, asked_at=asked_at)
        snapshot = await request_unless_already_decided(
            self.context,
            interaction,
            control,
            asking,
            lambda said, at, since: decided_claim_text(said, at, seat, since),
        )
        if snapshot is None:
            return
        open_still = snapshot.absence.claim(seat) is not None
        words = interactions.words_for(interaction)
        await interactions.answer_privately(
            interaction, words("absence.answered" if open_still else "absence.answered_last")
        )

    async def confirm_return(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """End the vote about the person's own seat and show their hand, or answer how the vote was decided."""
        words, person, table = interactions.words_for(interaction), interaction.user.id, control.table
        try:
            snapshot = await self.tables.absence.confirm_return(interactions.caller_of(interaction), table)
        except TableRefusal as refusal:
            if refusal.code not in (TableCode.NOT_SEATED, TableCode.NO_VOTE, *TOO_LATE):
                raise
            snapshot = await self.tables.reading.snapshot_for(table, person=person, guild=interaction.guild_id)
            text = decided_status_text(words, snapshot) or decided_seat_text(words, snapshot, person)
            if not text:
                raise
            await interactions.show_page(interaction, already_decided_page(words, snapshot, text))
            return
        await panel.answer_with_panel(
            self.context,
            interaction,
            panel.hand_page(self.context, interaction, table, note=welcome_back_text(words, snapshot, person)),
        )

    async def choose_how_game_ends(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Choose whether the game without opponents ends, and how, or goes on.

        It ends once all remaining players choose the same end.
        """
        choice = EndChoice(control.action.removeprefix("pick_"))
        asking = self.tables.absence.choose_game_end(interactions.caller_of(interaction), control.table, choice)
        snapshot = await request_unless_already_decided(
            self.context, interaction, control, asking, lambda said, at, _since: opponent_back_text(said, at)
        )
        if snapshot is None:
            return
        words = interactions.words_for(interaction)
        if snapshot.status is not Status.PLAYING:
            await interactions.answer_privately(interaction, status_text.result_line(words, snapshot))
        elif choice is EndChoice.PLAY_ON:
            await interactions.answer_privately(interaction, words("end_choice.plays_on"))
        else:
            await interactions.answer_privately(
                interaction, words("end_choice.picked", choice=words(f"end_choice.{choice.value}"))
            )

    async def keep_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Keep open a game that is about to be closed for inactivity."""
        asking = self.tables.absence.keep_game(interactions.caller_of(interaction), control.table)
        snapshot = await request_unless_already_decided(
            self.context,
            interaction,
            control,
            asking,
            lambda words, at, _since: words("decided.stays_open", table=at.id),
        )
        if snapshot is not None:
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("absence.game_kept", table=snapshot.id)
            )

    async def ask_for_seat(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Ask the seated players for permission to take over a computer player's seat."""
        (seat,) = _parse_numbers(control.argument, 1)
        joined = getattr(interaction.user, "joined_at", None)
        joined_at = None if joined is None else round(joined.timestamp() * 1000)
        caller = interactions.caller_of(interaction)
        snapshot = await self.tables.lobby.take_seat(caller, control.table, seat, joined_at=joined_at)
        await interactions.answer_privately(interaction, seat_request_text(interaction, snapshot))

    async def return_to_seat(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Return to the player's kept seat, and show what a computer player did there meanwhile."""
        await panel.answer_with_panel(self.context, interaction, self._page_after_return(interaction, control.table))

    async def _page_after_return(self, interaction: Interaction, table: int) -> Page:
        """Return the page with the player's hand after the return, also if they have their seat already."""
        words, person = interactions.words_for(interaction), interaction.user.id
        try:
            snapshot = await self.tables.lobby.join(interactions.caller_of(interaction), table)
        except TableRefusal as refusal:
            if refusal.code is TableCode.ALREADY_SEATED:
                return await panel.hand_page(self.context, interaction, table)
            if refusal.code is not TableCode.ALREADY_STARTED:
                raise
            snapshot = await self.tables.reading.snapshot_for(
                table, person=interaction.user.id, guild=interaction.guild_id
            )
            return await unseated_people.page_without_seat(self.context, interaction, snapshot)
        if snapshot.seat_of(person) is None:
            return text_page(seat_request_text(interaction, snapshot))
        return await panel.hand_page(
            self.context, interaction, snapshot.id, note=welcome_back_text(words, snapshot, person)
        )

    async def watch_table(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self._require_watchable_table(interaction, control.table)
        await interactions.show_page(
            interaction, unseated_people.watching_page(interactions.words_for(interaction), snapshot)
        )

    async def set_spectator_messages(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Turn on or off a message to the spectator after each deal."""
        wants = control.action == "watch_yes"
        snapshot = await self._require_watchable_table(interaction, control.table)
        await self.tables.places.set_spectator(snapshot, interaction.user.id, is_spectator=wants)
        words = interactions.words_for(interaction)
        if wants and await self.context.direct.send_welcome(
            interaction.user.id, text_page(words("settings.told_here"))
        ):
            await self.tables.places.set_spectator(snapshot, interaction.user.id, is_spectator=False)
            await interactions.answer_privately(interaction, words("watching.not_open"))
            return
        words = interactions.words_for(interaction)
        await interactions.answer_privately(
            interaction, words("watching.lines" if wants else "watching.no_lines", table=snapshot.id)
        )

    async def _require_watchable_table(self, interaction: Interaction, table: int) -> TableSnapshot:
        snapshot = await self.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
        if not snapshot.settings.watching:
            raise TableRefusal(TableCode.NO_WATCHING, {"table": table})
        return snapshot


def seat_request_text(interaction: Interaction, snapshot: TableSnapshot) -> str:
    """Return the answer to a person who asked for a seat."""
    words, person = interactions.words_for(interaction), interaction.user.id
    seat = snapshot.seat_of(person)
    if seat is not None:
        return words("done.joined", seat=seat + 1, table=snapshot.id)
    claims = [one for one in snapshot.absence.claims if one.holder.person == person]
    if any(one.kind is ClaimKind.TAKE for one in claims):
        return words("watching.asked", names=names.joined_seat_names(words, snapshot, _seats_with_people(snapshot)))
    return words("watching.asked_back", names=names.joined_seat_names(words, snapshot, _seats_with_people(snapshot)))


def _seats_with_people(snapshot: TableSnapshot) -> list[int]:
    return [seat for seat, holder in enumerate(snapshot.seats) if holder.person is not None]


def _parse_numbers(argument: str, count: int) -> list[int]:
    """Return the `count` numbers in a control's argument. Raises `InputProblem` for other arguments."""
    parts = argument.split(".")
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise InputProblem(InputCode.OLD_CONTROL)
    return [int(part) for part in parts]
