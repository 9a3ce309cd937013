"""The desk of a director who plays, and of a manager of events (`docs/tournaments.md` 7, 8 case 50)."""

from __future__ import annotations

import discord as library

from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import controls, enabled_actions, labels, press_stale_control, text_of


async def test_8_50_the_desk_says_who_rules_and_offers_no_rulings(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    anna = desk.cup.person(0)
    await desk.evening.service.desk_entries.add_director(
        desk.evening.caller(), desk.evening.number, person=anna.id, name="Ana"
    )
    shown = await desk.open_desk(anna)
    assert "You play in this tournament. Rulings are for Vera, or for a moderator who does not play." in text_of(shown)
    page = await anna.click(shown, "desk_round")
    assert {"desk_repair", "desk_by_hand", "desk_void_round"}.isdisjoint(enabled_actions(page))
    other = next(one for one in tournament.matches_of(1) if anna.id not in one.seats)
    match = await anna.choose(
        await anna.click(await desk.open_desk(anna), "desk_match"), "desk_pick_match", str(other.id)
    )
    assert {"desk_substitute", "desk_extend"} <= enabled_actions(match)
    assert "desk_forfeit" not in enabled_actions(match)
    entry = await anna.choose(await anna.click(await desk.open_desk(anna), "desk_entry"), "desk_pick_entry", "3")
    assert "desk_penalty" not in controls(entry)
    assert {"desk_remove", "desk_bring_back"}.isdisjoint(enabled_actions(entry))


async def test_8_50_an_old_panel_is_refused_in_words(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    anna = desk.cup.person(0)
    await desk.evening.service.desk_entries.add_director(
        desk.evening.caller(), desk.evening.number, person=anna.id, name="Ana"
    )
    removing = controls(await desk.vera.choose(await desk.open_page("desk_entry"), "desk_pick_entry", "3"))[
        "desk_remove"
    ]
    refused = await press_stale_control(desk.discord, anna, await anna.run("help"), removing["custom_id"])
    assert "a director who does not play decides that" in text_of(refused)
    assert (await desk.evening.tournament()).entrant(3).is_active


async def test_8_50_an_event_manager_steps_in_if_every_director_plays(desk: Desk) -> None:
    role = desk.discord.world.server.create_role("Host", permissions=library.Permissions(manage_events=True))
    host = desk.add_person("Host", roles=[role])
    anna = desk.evening.director = desk.cup.person(0).id
    await desk.evening.draw_first_round()
    shown = await desk.open_desk(host)
    assert ["Step in"] == labels(shown)
    stepping = controls(shown)["desk_step_in"]["custom_id"]
    alone = text_of(await desk.open_desk(desk.cup.person(0)))
    assert "You play in this tournament. Rulings are for a moderator who does not play." in alone
    inside = await host.click(shown, "desk_step_in")
    assert "Director's desk" in text_of(inside)
    assert (anna, host.id) == (await desk.evening.tournament()).directors
    assert "You play in this tournament. Rulings are for Host, or for a moderator who does not play." in text_of(
        await desk.open_desk(desk.cup.person(0))
    )
    other = desk.add_person("Other", roles=[role])
    assert "You direct no tournament here." in text_of(await desk.open_desk(other)), "Host is free to rule"
    refused = await press_stale_control(desk.discord, other, await other.run("help"), stepping)
    assert "you need the permission to manage this server" in text_of(refused)
