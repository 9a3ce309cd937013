"""The clock in the lobby, and the menus in which its host chooses it."""

from __future__ import annotations

from bot.clocks.time_rules import DAY, PRESETS
from bot.i18n import words
from bot.tables.state.clocks import AbsencePolicy, ReplayFrom, TableSettings
from cogs.shared.telling import status_text
from cogs.table.clock_controls import MENUS
from tests.support.discord import Discord, Message, Person, controls, text_of
from tests.support.discord_limits import broken_limits


def offered_values(panel: Message, menu: str) -> str:
    """Return the values offered by a menu."""
    return next(str(one["value"]) for one in controls(panel)[menu]["options"] if one.get("default"))


async def open_clock_panel(discord: Discord, **terms: str | int) -> tuple[Person, Message]:
    host = discord.person(0)
    await host.run("table new", **terms)
    return host, await host.click(await discord.board(), "setup")


async def test_a_slow_lobby_shows_its_clock_and_the_estimated_length(discord: Discord) -> None:
    await discord.person(0).run("table new", clock="daily", length=3)
    snapshot = await discord.snapshot()
    over = (snapshot.updated_at + 90 * DAY) // 1000
    sentence = (
        "Daily: 72 h each, +12 h after each turn, at most 72 h. It runs once two people play. "
        "Out of time: one extra day, then the others vote. "
        "The game ends after 3 deals. "
        f"Ends by <t:{over}:D>. "
        "About 3½ weeks if all look in four times a day."
    )
    assert sentence in text_of(await discord.board())


async def test_a_fast_lobby_shows_no_date_and_a_clockless_one_says_so(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    assert "-# Clock: Live, once two people play." in text_of(await discord.board())
    await friend.click(await discord.board(), "sit")
    text = text_of(await discord.board())
    terms = "Live: 5 min each, +1 min after each turn, at most 10 min. It runs once two people play."
    assert f"{terms} Out of time: one extra minute, then" in text
    assert "Over by" not in text
    await you.run("table new", clock="none")
    assert "-# No clock." in text_of(await discord.board(2))


async def test_the_host_chooses_clock_length_and_treatment_of_absent_players(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord)
    assert ("live", "computer", "0") == tuple(offered_values(panel, menu) for menu in ("clock", "absent", "length"))
    panel = await host.choose(panel, "clock", "tournament")
    assert ("tournament", "vote", "0") == tuple(offered_values(panel, menu) for menu in ("clock", "absent", "length"))
    panel = await host.choose(panel, "absent", "forfeit")
    panel = await host.choose(panel, "length", "5")
    assert ("tournament", "forfeit", "5") == tuple(
        offered_values(panel, menu) for menu in ("clock", "absent", "length")
    )
    settings = (await discord.snapshot()).settings
    assert settings.clock is not None
    assert ("tournament", AbsencePolicy.FORFEIT, 5) == (settings.clock.name, settings.absent, settings.deals)
    panel = await host.choose(await host.choose(panel, "clock", "none"), "length", "0")
    settings = (await discord.snapshot()).settings
    assert (None, None) == (settings.clock, settings.deals)


async def test_a_custom_clock_is_typed_into_a_form(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord)
    answer = await host.actor.select(panel, ("custom",), custom_id=controls(panel)["clock"]["custom_id"])
    assert answer.modal is not None
    sent = await host.actor.submit_modal(answer, {"text": "1d+6h max 36h"})
    assert sent.acknowledged
    clock = (await discord.snapshot()).settings.clock
    assert clock is not None
    assert ("custom", 36 * 3_600_000) == (clock.name, clock.cap)
    panel = await host.click(await discord.board(), "setup")
    assert "custom" == offered_values(panel, "clock")
    assert "Custom clock: 24 h + 6 h" in [one["label"] for one in controls(panel)["clock"]["options"]]


async def test_an_invalid_clock_is_explained_in_the_panel(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord)
    answer = await host.actor.select(panel, ("custom",), custom_id=controls(panel)["clock"]["custom_id"])
    sent = await host.actor.submit_modal(answer, {"text": "1h+2h"})
    assert "After each turn a clock may add at most as much time as it starts with." in text_of(sent.response)
    clock = (await discord.snapshot()).settings.clock
    assert clock is not None
    assert "live" == clock.name


async def test_the_clock_panel_fits_with_everything_in_it(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord, players=6, computers=5, clock="3d+12h max 4d", length=20)
    panel = await host.choose(panel, "place", "1")
    assert [] == broken_limits([one if isinstance(one, dict) else one.to_dict() for one in panel.components])


async def test_the_estimated_length_of_a_game_follows_deals_and_turns(discord: Discord) -> None:
    await discord.person(0).run("table new", clock="daily")
    snapshot = await discord.snapshot()
    assert (
        status_text.game_length_text(words(), snapshot.settings, snapshot.terms)
        == "About 8 weeks if all look in four times a day."
    )
    await discord.person(0).run("table new", clock="daily", length=1)
    snapshot = await discord.snapshot(2)
    assert status_text.game_length_text(words("it"), snapshot.settings, snapshot.terms).startswith("Circa 8 giorni")


async def test_other_clock_settings_have_their_own_panel(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord, clock="daily")
    panel = await host.click(panel, "table_settings")
    assert "More settings of table 1" in text_of(panel)
    usual = {"extension": "on", "vacation": "7", "latest_end": "usual", "idle": "usual", "watching": "on"}
    assert usual | {
        "replay": "deal",
        "undo": "on",
        "rated": "off",
        "level": "casual",
        "pace": "even",
        "hints": "alone",
    } == {name: offered_values(panel, f"table_{name}") for name in MENUS}
    values = {"extension": "off", "vacation": "0", "latest_end": "30", "idle": "7", "watching": "off", "undo": "off"}
    for name, value in (
        values | {"replay": "game", "rated": "on", "level": "expert", "pace": "varied", "hints": "on"}
    ).items():
        panel = await host.choose(panel, f"table_{name}", value)
        assert value == offered_values(panel, f"table_{name}")
    wanted = TableSettings(
        clock=PRESETS["daily"],
        extension=False,
        vacation=0,
        latest_end=30,
        idle=7,
        watching=False,
        replay=ReplayFrom.GAME,
        undo=False,
        rated=True,
        level="expert",
        pace="varied",
        hints="on",
    )
    assert wanted == (await discord.snapshot()).settings
    assert [] == broken_limits([one if isinstance(one, dict) else one.to_dict() for one in panel.components])
    assert "Set up table 1" in text_of(await host.click(panel, "setup"))


async def test_a_table_without_a_clock_offers_no_clock_settings(discord: Discord) -> None:
    host, panel = await open_clock_panel(discord, clock="none")
    panel = await host.click(panel, "table_settings")
    settings = {
        "table_idle",
        "table_watching",
        "table_replay",
        "table_undo",
        "table_rated",
        "table_level",
        "table_pace",
        "table_hints",
    }
    assert {*settings, "setup"} == set(controls(panel))
    assert "Closes after 30 days without a move (default)" == controls(panel)["table_idle"]["options"][0]["label"]
