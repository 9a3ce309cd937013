"""`/profile`: finished games in figures."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.i18n import words
from bot.profiles.game_statistics import GameStatistics, Partnership
from bot.tables.state.clocks import Conclusion
from cogs.profile.statistics import statistics_page
from cogs.shared.discord_api.components import Page
from tests.support.discord import Discord, conclude_game, text_of


class Message:
    """A page in the form of a message, so that `text_of` can read it."""

    def __init__(self, page: Page) -> None:
        self.components = page.view.to_components()  # type: ignore[no-untyped-call]


def profile_text(figures: GameStatistics, locale: str = "en") -> str:
    return text_of(Message(statistics_page(words(locale), 7, figures)))


def test_the_profile_shows_all_stored_data() -> None:
    figures = GameStatistics(
        games=12,
        together=9,
        won=5,
        agreed=1,
        deals=63,
        canastas=70,
        canasta_deals=50,
        best_deal=1_310,
        lapses=2,
        partnerships=(Partnership(2, 5, 3), Partnership(3, 1, 0)),
    )
    expected = [
        "### <@7>",
        "Games: **12**, won 5, 9 of them with other people",
        "Deals: 63",
        "Canastas: 70, 1.4 a deal",
        "Best deal: 1,310 points",
        "With <@2>: 5 games, won 3",
        "With <@3>: 1 game, won 0",
        "-# 12 games finished · the time ran out 2 times in 90 days · 1 game ended by agreement",
    ]
    assert expected == profile_text(figures).split("\n")
    assert "Canaste: 70, 1,4 per smazzata" in profile_text(figures, "it")


async def test_figures_of_oneself_and_others_are_shown_in_private(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    said = await you.run("profile")
    assert said.ephemeral
    assert "No finished game yet." in text_of(said)
    assert "games finished" not in text_of(said)
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    await conclude_game(discord, Conclusion("agreed", 1, (100, 310)))
    assert f"<@{you.id}>" in text_of(await you.run("profile"))
    told_of_friend = await you.run("profile", person=friend.actor)
    assert f"<@{friend.id}>" in text_of(told_of_friend)
    assert "Games: **1**, won 1, 1 of them with other people" in text_of(told_of_friend)


async def test_partners_and_timeouts_are_shown(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=4)
    await friend.run("table join", seat=3)
    await you.run("table start", fill=True)
    await conclude_game(discord, Conclusion("resigned", 0, (500, 310)))
    now = discord.application.client.context.clock.now()
    with closing(sqlite3.connect(discord.database)) as connection, connection:
        connection.execute("INSERT INTO lapses VALUES (?, 1, ?)", (you.id, now))
    text = text_of(await you.run("profile"))
    assert f"With <@{friend.id}>: 1 game, won 1" in text
    assert "the time ran out once in 90 days" in text
