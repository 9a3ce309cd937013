"""What is shown of ratings: rated tables, profiles, leaderboards of servers, and lobbies."""

from __future__ import annotations

from bot.i18n import words
from bot.ratings.rating_rules import (
    START,
    Ladder,
    MatchId,
    Player,
    RatedMatch,
    Rating,
    SeatPlayed,
    SidePlayed,
    rate_match,
)
from bot.ratings.service import LadderRating, RatingService
from bot.tables.state.clocks import Conclusion
from cogs.profile.leaderboard import Leaderboard, leaderboard_page
from cogs.shared.reading.input_problems import InputCode
from tests.cogs.test_profile import Message as Shown
from tests.support.discord import Discord, Message, conclude_game, controls, input_error_text, picture_captions, text_of

CLASSIC = Ladder("classic", 2)
WON = Conclusion("resigned", 0, (0, 0), last=1)


def ratings_of(discord: Discord) -> RatingService:
    return discord.application.client.context.ratings


async def add_rated_games(
    discord: Discord, *results: tuple[int | tuple[int, int], int | tuple[int, int]], ladder: Ladder = CLASSIC
) -> None:
    """Store matches of this server, won by the first of two people or pairs.

    They are numbered after the existing ones.
    """
    guild = discord.world.server.id
    sides_of = [[side if isinstance(side, tuple) else (side,) for side in result] for result in results]
    first = 1000 + sum(one.matches for one in await ratings_of(discord).ratings_of(sides_of[0][0][0]))
    now = discord.application.client.context.clock.now()
    for number, those in enumerate(sides_of, first):
        sides = tuple(
            SidePlayed(tuple(SeatPlayed(((person, 2),)) for person in side), score)
            for side, score in zip(those, (900, 100), strict=True)
        )
        match = RatedMatch(id=MatchId(1, number), at=now + number, ladder=ladder, guild=guild, sides=sides)
        await ratings_of(discord).rate_match(match)


def offered_values(message: Message) -> list[str]:
    return [one["value"] for one in controls(message)["leaderboard"]["options"]]


async def test_a_rated_game_appears_in_the_profiles(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    assert "Rated" not in text_of(await discord.board())
    panel = await you.click(await you.click(await discord.board(), "setup"), "table_settings")
    panel = await you.choose(panel, "table_rated", "on")
    assert (await discord.snapshot()).settings.rated
    assert "**Rated**: the result counts for ratings" in text_of(await discord.board())
    await friend.run("table join")
    await you.run("table start")
    await conclude_game(discord, WON)
    await discord.application.outbox.carry_out_due_effects()
    own, other = text_of(await you.run("profile")), text_of(await you.run("profile", person=friend.actor))
    ((won,), (lost,)) = rate_match(((Player(START),), (Player(START),)), (1, 2))
    assert won is not None
    assert lost is not None
    assert (1105, 895) == (won.displayed_value, lost.displayed_value)
    assert "Classic · 2 players: **1,105** (provisional) after one rated match" in own
    assert "**895** (provisional) after one rated match" in other
    assert "You against each other: one game, you won 1 and lost 0" in other
    assert "You against each other" not in own


async def test_a_table_can_be_opened_rated(discord: Discord) -> None:
    await discord.person(0).run("table new", players=2, rated=True)
    assert (await discord.snapshot()).settings.rated


async def test_a_rated_or_slow_lobby_shows_how_reliable_its_players_are(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    await friend.run("table join")
    assert "games finished" not in text_of(await discord.board())
    await you.run("table start")
    await conclude_game(discord, WON)
    for table, options in ((2, {"rated": True}), (3, {"clock": "daily"})):
        await you.run("table new", players=2, **options)
        assert "1 game finished · the time ran out 0 times in 90 days" in text_of(await discord.board(table))
    await you.run("table new", players=2)
    assert "game finished" not in text_of(await discord.board(4))


async def test_a_profile_has_a_chart_from_three_matches_on(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await add_rated_games(discord, (you.id, friend.id), (you.id, friend.id))
    assert not picture_captions(await you.run("profile"))
    await add_rated_games(discord, (friend.id, you.id))
    (text,) = picture_captions(await you.run("profile"))
    assert text.startswith("Classic · 2 players. Rating ")
    assert "after 2 games" in text
    await you.run("me settings", **{"text-only": True})
    said = await you.run("profile")
    assert not picture_captions(said)
    assert "after 3 rated matches" in text_of(said)


async def test_the_leaderboard_lists_reliable_ratings_and_has_a_menu_of_games(discord: Discord) -> None:
    you, friend, third = discord.person(0), discord.person(1), discord.person(2)
    said = await you.run("leaderboard")
    assert said.ephemeral
    assert "No rated match has been played yet." in text_of(said)
    await add_rated_games(discord, (you.id, friend.id))
    said = await you.run("leaderboard")
    assert "No player here has played enough rated matches" in text_of(said)
    assert "(provisional), not on this leaderboard" in text_of(said)
    await add_rated_games(discord, *[(you.id, friend.id), (friend.id, you.id), (you.id, friend.id)] * 20)
    await add_rated_games(discord, (third.id, you.id), ladder=Ladder("runs", 2))
    said = await you.run("leaderboard")
    text = text_of(said)
    assert "### Classic · 2 players" in text
    assert f"1. <@{you.id}>" in text
    assert f"2. <@{friend.id}>" in text
    assert "You: place 1 of 2" in text
    assert ["classic-2", "runs-2"] == offered_values(said)
    said = await you.choose(said, "leaderboard", "runs-2")
    assert "### Games with runs · 2 players" in text_of(said)
    assert "### Games with runs · 2 players" in text_of(await you.run("leaderboard", game="runs-2"))
    assert ["runs-2"] == await you.suggestions("leaderboard", "game", "run")
    unknown = await you.run("leaderboard", game="chess")
    assert input_error_text(InputCode.NO_LADDER, text="chess") == text_of(unknown)


async def test_a_deleted_person_leaves_the_leaderboards_and_others_stay(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await add_rated_games(discord, *[(you.id, friend.id), (friend.id, you.id), (you.id, friend.id)] * 20)
    before = await ratings_of(discord).rating_of(friend.id, CLASSIC)
    await you.fill_form(await you.run("me delete"), "forget_me", "delete")
    assert f"<@{you.id}>" not in text_of(await friend.run("leaderboard"))
    assert before == await ratings_of(discord).rating_of(friend.id, CLASSIC)


async def test_pairs_have_a_leaderboard_and_a_line_in_the_profile(discord: Discord) -> None:
    you, friend, third, fourth = (discord.person(number).id for number in range(4))
    reader, four = discord.person(0), Ladder("classic", 4)
    await add_rated_games(discord, ((you, third), (friend, fourth)), ((you, fourth), (third, friend)), ladder=four)
    told = text_of(await reader.run("profile"))
    assert f"with <@{third}> **1,105** (one match, provisional) · with <@{fourth}> **1," in told
    said = await reader.choose(await reader.run("leaderboard"), "leaderboard", "classic-4 pairs")
    assert f"You with <@{third}>: **1,105** (provisional), not on this leaderboard" in text_of(said)
    await add_rated_games(discord, *[((you, friend), (third, fourth))] * 20, ladder=four)
    (pair,) = [one for one in await ratings_of(discord).pair_ratings_of(you) if one.matches == 20]
    told = text_of(await reader.run("profile"))
    assert f"with <@{friend}> **{pair.rating.displayed_value:,}** (20 matches) · with" in told
    said = await reader.run("leaderboard", game="classic-4 pairs")
    assert ["classic-4", "classic-4 pairs"] == offered_values(said)
    told = text_of(said)
    assert "### Classic · 4 players · pairs" in told
    first, second = sorted((you, friend))
    assert f"1. <@{first}> & <@{second}> **{pair.rating.displayed_value:,}** · 20 matches" in told
    assert f"You with <@{friend}>: place 1 of 2, **{pair.rating.displayed_value:,}**" in told
    assert ["classic-4 pairs"] == await reader.suggestions("leaderboard", "game", "pairs")


def test_people_with_equal_ratings_share_a_place() -> None:
    board = [
        LadderRating(person, CLASSIC, Rating(mu, 5.0), 9) for person, mu in ((1, 30.0), (2, 29.0), (3, 29.0), (4, 20.0))
    ]
    text = text_of(
        Shown(leaderboard_page(words("it"), Leaderboard(CLASSIC), board, boards=[Leaderboard(CLASSIC)], own=[board[2]]))
    )
    assert ["1", "2", "2", "4"] == [
        line.partition(".")[0] for line in text.split("\n") if "incontri" in line and "." in line
    ][:4]
    assert "Tu: posto 2 su 4" in text
