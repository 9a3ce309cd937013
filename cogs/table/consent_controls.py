"""The buttons for proposals to end, pause or resign; also `/table offer` and `/table resign`."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.i18n import words
from bot.tables.state.proposals import LONGEST_PAUSE, ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.late_presses import request_unless_already_decided
from cogs.shared.showing.open_questions import confirm_end_alone_page, confirm_resigning_page, proposal_outcome_text
from cogs.shared.telling.settled_question_text import decided_proposal_text
from cogs.table.close_table import is_playing_alone
from cogs.table.proposal_interactions import ProposalInteractions

Chosen = tuple[str, ...]

_ENGLISH: Final = words()


class ConsentControls:
    """Handlers of *Offer to end*, *Agree*, *Play on*, *Stay*, *Resign* and *Go on*."""

    def __init__(self, context: Context, proposers: ProposalInteractions) -> None:
        self.context = context
        self.tables = context.tables
        self.proposers = proposers
        handlers = {
            "close_game": self.offer_end,
            "close_alone": self.end_solo_game,
            "close_yes": self.agree_to_proposal,
            "close_no": self.decline_proposal,
            "close_keep": self.keep_game,
            "resign_sure": self.resign_game,
            "go_on": self.resume_game,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def offer_end(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await interactions.show_page(
            interaction, await make_proposal(self.context, interaction, control.table, self.proposers)
        )

    async def end_solo_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """End the game of a person who plays alone; if another player has returned, ask that player first."""
        page = await make_proposal(self.context, interaction, control.table, self.proposers, confirmed=True)
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def agree_to_proposal(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        before = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        snapshot = await self._answer_proposal(interaction, control, agrees=True)
        if snapshot is None:
            return
        kind = ProposalKind.END if before.proposal is None else before.proposal.kind
        await interactions.answer_privately(
            interaction, proposal_outcome_text(interactions.words_for(interaction), snapshot, kind, "consent.agreed")
        )

    async def decline_proposal(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        before = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        snapshot = await self._answer_proposal(interaction, control, agrees=False)
        if snapshot is None:
            return
        await interactions.answer_privately(
            interaction, interactions.words_for(interaction)("consent.declined", table=snapshot.id)
        )
        if before.proposal is not None:
            await self.proposers.notify_refusal(snapshot, before.proposal, interaction.user.id)

    async def keep_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        text = interactions.words_for(interaction)("consent.declined", table=control.table)
        await interactions.show_page(
            interaction, text_page(text), update=interactions.is_in_private_message(interaction)
        )

    async def resign_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Resign for a player without a human partner; if a partner has returned, ask the partner first."""
        page = await propose_resigning(self.context, interaction, control.table, self.proposers, confirmed=True)
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def resume_game(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.consent.resume(interactions.caller_of(interaction), control.table)
        text = interactions.words_for(interaction)("consent.went_on", table=snapshot.id)
        if interactions.is_in_private_message(interaction):
            page = panel.hand_page(self.context, interaction, snapshot.id, note=text)
            await panel.answer_with_panel(self.context, interaction, page)
        else:
            await interactions.answer_privately(interaction, text)

    async def _answer_proposal(
        self, interaction: Interaction, control: ControlId, *, agrees: bool
    ) -> TableSnapshot | None:
        """Answer the proposal; if it is already settled, inform the person and return None."""
        asked_at = int(control.argument) if control.argument.isascii() and control.argument.isdigit() else 0
        caller = interactions.caller_of(interaction)
        asking = self.tables.consent.answer_proposal(caller, control.table, agrees=agrees, asked_at=asked_at)
        return await request_unless_already_decided(self.context, interaction, control, asking, decided_proposal_text)


def proposal_choices() -> list[app_commands.Choice[str]]:
    """Return the proposals that the option of `/table offer` lists."""
    keys = {kind: f"proposable.{kind.value}" for kind in ProposalKind if kind is not ProposalKind.RESIGN}
    return [
        app_commands.Choice(name=app_commands.locale_str(_ENGLISH(key), key=key), value=kind.value)
        for kind, key in keys.items()
    ]


async def make_proposal(
    context: Context,
    interaction: Interaction,
    table: int,
    proposers: ProposalInteractions,
    *,
    kind: ProposalKind = ProposalKind.END,
    days: int = LONGEST_PAUSE,
    confirmed: bool = False,
) -> Page:
    """Make a proposal to the table's players and return the page that confirms it.

    The only human player of a game must first confirm its end. Refusals as `ConsentService.propose`.
    """
    snapshot = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if kind is ProposalKind.END and is_playing_alone(snapshot, interaction.user.id) and not confirmed:
        return confirm_end_alone_page(interactions.words_for(interaction), snapshot)
    snapshot = await context.tables.consent.propose(interactions.caller_of(interaction), table, kind, days=days)
    proposers.record_proposing_interaction(interaction, snapshot)
    return text_page(proposal_outcome_text(interactions.words_for(interaction), snapshot, kind, "consent.asked"))


async def propose_resigning(
    context: Context, interaction: Interaction, table: int, proposers: ProposalInteractions, *, confirmed: bool = False
) -> Page:
    """Ask the partner to agree to resigning and return the answer.

    Without a human partner the player must confirm it. Refusals as `ConsentService.propose`.
    """
    said = interactions.words_for(interaction)
    snapshot = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    asks_nobody = snapshot.status is Status.PLAYING and snapshot.proposal is None
    if asks_nobody and not confirmed and not _has_partner(snapshot, interaction.user.id):
        return confirm_resigning_page(said, snapshot)
    snapshot = await context.tables.consent.propose(interactions.caller_of(interaction), table, ProposalKind.RESIGN)
    proposers.record_proposing_interaction(interaction, snapshot)
    return text_page(proposal_outcome_text(said, snapshot, ProposalKind.RESIGN, "consent.asked"))


def _has_partner(snapshot: TableSnapshot, person: int) -> bool:
    """Return whether the person has a human partner.

    True for a person without a seat, whose request is refused later.
    """
    own = snapshot.seat_of(person)
    if own is None:
        return True
    side = snapshot.terms.side_of(own)
    return any(
        holder.person not in (None, person) and snapshot.terms.side_of(seat) == side
        for seat, holder in enumerate(snapshot.seats)
    )
