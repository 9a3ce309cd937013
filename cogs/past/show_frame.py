"""Answers with a frame of a replay: as a picture, or in words for people who want text only."""

from __future__ import annotations

from bot.tables.past.history import Replay
from cogs.past import replay_frame as replay_frames
from cogs.past.pages import replay_page
from cogs.past.replay_frame import ReplayPlace
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.serving.context import Context
from render import descriptions


async def show_frame(
    context: Context,
    interaction: Interaction,
    replay: Replay,
    place: ReplayPlace,
    *,
    update: bool = False,
    with_hands_menu: bool = False,
    public: bool = False,
) -> None:
    """Answer with a replay's frame at that place or the nearest one; a public answer has no controls."""
    profiles, spoken = context.profiles, context.servers.locale(replay.snapshot.guild)
    words = interactions.server_words(interaction, spoken) if public else interactions.words_for(interaction)
    preferences = await (
        profiles.server_preferences(replay.snapshot.guild) if public else profiles.preferences_of(interaction.user.id)
    )
    position = replay_frames.frame_at(replay, place)
    text = descriptions.full_description(replay_frames.frame_picture(words, position, preferences, drawn=False))
    name = f"replay-{replay.snapshot.id}-{str(position.place).replace('.', '-')}-{interaction.id % 1_000_000}.png"
    asked = replay_frames.frame_picture(words, position, preferences, drawn=True)
    picture = (
        None
        if preferences.is_text_only
        else await context.pages.draw_picture(asked, name, descriptions.short_description(asked))
    )
    page = replay_page(words, position, picture, text, controls=not public, with_hands_menu=with_hands_menu)
    await interactions.show_page(interaction, page, update=update, private=not public)
