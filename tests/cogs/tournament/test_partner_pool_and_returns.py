"""The pool of single players, coming back after leaving, and removal, by the buttons of people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.tournament import Stage, Tournament
from tests.support.discord import Message, control_arguments, controls, enabled_actions, text_of
from tests.support.discord_tournaments import CupServer, cup_world


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=12) as world:
        yield world


def announcement(cup: CupServer) -> Message:
    return cup.message("**Friday cup** ·")


def last_question(cup: CupServer) -> Message:
    """Return the last message in which Ana asks another person to be her partner."""
    return next(one for one in reversed(cup.messages()) if "Ana asks you to be their partner" in text_of(one))


async def begin_tournament(cup: CupServer, people: int, *, missing: int | None = None, **chosen: object) -> Tournament:
    """Start a tournament of that many people, draw its first round, and return it."""
    await cup.publish(places=16, **chosen)
    tournaments = cup.discord.application.client.context.tournaments
    each = (await cup.tournament()).plan.persons_entering_together
    for place in range(0, people, each):
        captain, *others = (cup.person(one) for one in range(place, place + each))
        names = {one.id: one.actor.user.global_name or "?" for one in others}
        await tournaments.entering.enter(cup.caller(captain), 1, partners=names)
        for one in others:
            await tournaments.entering.answer_partner_invitation(cup.caller(one), 1, yes=True)
    await cup.advance_to(Stage.CHECK_IN)
    for place in range(people):
        if place != missing:
            await tournaments.entering.check_in(cup.caller(cup.person(place)), 1)
    await cup.advance_to(Stage.RUNNING)
    return await cup.tournament()


async def play_round(cup: CupServer) -> Tournament:
    """Call the round, play all its matches, and return the tournament."""
    while (await cup.tournament()).rounds[-1].called_at is None:
        await cup.pass_time(MINUTE)
    for match in (await cup.tournament()).matches:
        if match.result is None and not match.voided:
            await cup.play_match((await cup.tournament()).match(match.id))
    return await cup.tournament()


async def test_a_single_who_comes_late_is_told_about_the_pool_and_later_about_the_partner(cup: CupServer) -> None:
    await begin_tournament(cup, 8, rounds=3)
    answer = text_of(await cup.person(8).click(announcement(cup), "t_enter"))
    assert answer.startswith(
        "You are 1st in the list of players without a partner; you play as soon as a partner comes."
    )
    await cup.wait_until_idle()
    assert "Waiting for a partner: Ida" in text_of(announcement(cup))
    answer = text_of(await cup.person(9).click(announcement(cup), "t_enter"))
    assert answer.startswith("You play from round 1 on.")
    await cup.wait_until_idle()
    cup.message("You play **Friday cup** with Jon from round 1.")
    cup.message("You play **Friday cup** with Ida from round 1.")
    view = await play_round(cup)
    assert {2} == {len(one.people) for one in view.entrants}
    assert 2 == len(view.rounds), "the round was called"


async def test_a_person_who_left_comes_back_with_the_same_partner_only(cup: CupServer) -> None:
    await begin_tournament(cup, 10, rounds=4, drawn=False)
    await play_round(cup)
    ana, ben, eve = cup.person(0), cup.person(1), cup.person(10)
    await ana.click(await ana.run("tournament leave"), "t_leave_yes")
    await cup.wait_until_idle()
    other = text_of(await ana.run("tournament enter", partner=eve.actor))
    assert "You have played here with Ben. Enter with Ben, or ask a director." == other
    asked = text_of(await eve.run("tournament enter", partner=ana.actor))
    assert "That person has played here with Ben, and can play here only with them." == asked
    assert "Ben must say yes" in text_of(await ana.run("tournament enter", partner=ben.actor))
    await cup.wait_until_idle()
    await ben.click(last_question(cup), "t_yes")
    await cup.wait_until_idle()
    cup.message("Ana & Ben are back.")
    view = await cup.tournament()
    assert (5, EntryStage.PLAYING) == (len(view.entrants), view.entrant(1).stage)


async def test_partners_drawn_together_come_back_together(cup: CupServer) -> None:
    view = await begin_tournament(cup, 8, rounds=3)
    entrant = next(one for one in view.entrants if cup.person(0).id in one.people)
    ana = cup.person(0)
    partner = next(person for person in map(cup.person, range(8)) if person.id in entrant.people and person != ana)
    await ana.click(await ana.run("tournament leave"), "t_leave_yes")
    await cup.wait_until_idle()
    shown = await ana.click(announcement(cup), "t_enter")
    assert "With whom do you enter?" in text_of(shown)
    await ana.actor.select(shown, [partner.actor], custom_id=controls(shown)["t_partners"]["custom_id"])
    await cup.wait_until_idle()
    await partner.click(last_question(cup), "t_yes")
    assert (await cup.tournament()).entrant(entrant.number).is_active


async def test_at_the_desk_an_entry_that_did_not_check_in_is_removed_and_not_penalised(cup: CupServer) -> None:
    await begin_tournament(cup, 10, missing=0, rounds=3, drawn=False)
    vera = cup.organiser
    desk = await vera.run("tournament desk")
    chosen = await vera.choose(await vera.click(desk, "desk_entry"), "desk_pick_entry", "1")
    assert "has left" in text_of(chosen)
    assert "desk_penalty" not in controls(chosen)
    assert {"desk_remove", "desk_bring_back"}.isdisjoint(enabled_actions(chosen))
    playing = await vera.choose(await vera.click(chosen, "desk_entry"), "desk_pick_entry", "2")
    assert "desk_penalty" in controls(playing)
    removed = await vera.click(playing, "desk_remove")
    await cup.wait_until_idle()
    assert "removed" in text_of(removed)
    cy, dov = cup.person(2), cup.person(3)
    assert "A director has removed you from this tournament." == text_of(
        await cy.run("tournament enter", partner=dov.actor)
    )
    back = await vera.click(removed, "desk_bring_back")
    await cup.wait_until_idle()
    assert "desk_remove" in enabled_actions(back)
    assert (await cup.tournament()).entrant(2).is_active
    assert ["1"] == sorted({one.split(".")[0] for one in control_arguments(back, "desk_remove")})
