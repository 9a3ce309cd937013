"""Entering a tournament, inviting partners, leaving and checking in, by buttons and commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord import UserHandle

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.tournament import Stage
from cogs.shared.reading.input_problems import InputCode
from tests.support.discord import Person, control_arguments, controls, input_error_text, text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.slow_discord_games import open_direct_messages


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=4) as world:
        yield world


async def test_entering_twice_makes_one_entry(cup: CupServer) -> None:
    await cup.publish()
    ana = cup.person(0)
    for _ in range(2):
        assert text_of(await ana.run("tournament enter")).startswith("You are in, 1 of 8. Check in <t:")
    assert 1 == len((await cup.tournament()).entrants)


async def test_an_invited_partner_accepts_and_both_are_entered(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben = cup.person(0), cup.person(1)
    answer = await ana.run("tournament enter", partner=ben.actor)
    assert text_of(answer).startswith("Ben must say yes until <t:")
    await cup.wait_until_idle()
    question = cup.message("Ana asks you to be their partner in **Friday cup**.")
    assert f"<@{ben.id}>" in text_of(question)
    assert "Your answer is no longer needed" in text_of(await cup.person(2).click(question, "t_yes"))
    assert "You are in **Friday cup**." in text_of(await ben.click(question, "t_yes"))
    await cup.wait_until_idle()
    (entrant,) = (await cup.tournament()).entrants
    assert (ana.id, ben.id) == entrant.people
    assert EntryStage.ENTERED is entrant.stage
    assert "Ana & Ben" in text_of(cup.message("**Friday cup** ·"))


async def test_a_partner_who_is_chosen_in_a_menu_declines(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben = cup.person(0), cup.person(1)
    asked = await ana.click(cup.message("**Friday cup** ·"), "t_enter")
    assert "With whom do you enter?" in text_of(asked)
    answer = await ana.actor.select(asked, [ben.actor], custom_id=controls(asked)["t_partners"]["custom_id"])
    assert "Ben must say yes" in text_of(answer.response)
    await cup.wait_until_idle()
    await ben.click(cup.message("Ana asks you"), "t_no")
    await cup.wait_until_idle()
    cup.message("Ben does not play **Friday cup** with you.")
    assert () == (await cup.tournament()).entrants


async def test_an_invited_partner_who_enters_with_another_declines(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben, cy = (cup.person(place) for place in range(3))
    await ana.run("tournament enter", partner=ben.actor)
    await cup.wait_until_idle()
    text = text_of(await ben.click(cup.message("**Friday cup** ·"), "t_enter"))
    assert "Ana is waiting for your answer" in text
    assert "With whom do you enter?" in text
    assert "Cy must say yes" in text_of(await ben.run("tournament enter", partner=cy.actor))
    await cup.wait_until_idle()
    cup.message("Ben does not play **Friday cup** with you.")
    (entrant,) = (await cup.tournament()).entrants
    assert (ben.id, cy.id) == entrant.people


async def test_an_invited_partner_who_names_the_inviter_accepts(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben = cup.person(0), cup.person(1)
    await ana.run("tournament enter", partner=ben.actor)
    assert text_of(await ben.run("tournament enter", partner=ana.actor)).startswith("You are in, 2 of 8.")
    (entrant,) = (await cup.tournament()).entrants
    assert ((ana.id, ben.id), EntryStage.ENTERED) == (entrant.people, entrant.stage)


async def test_an_invitation_is_withdrawn_and_another_one_sent(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben, cy = (cup.person(place) for place in range(3))
    await ana.run("tournament enter", partner=ben.actor)
    await cup.wait_until_idle()
    question = cup.message("Ana asks you")
    assert "Ben must say yes" in text_of(await ana.click(cup.message("**Friday cup** ·"), "t_enter"))
    sure = await ana.run("tournament leave")
    assert "Your question is withdrawn, and your pair does not enter. Sure?" == text_of(sure)
    await ana.click(sure, "t_leave_yes")
    assert "Your answer is no longer needed" in text_of(await ben.click(question, "t_yes"))
    assert "Cy must say yes" in text_of(await ana.run("tournament enter", partner=cy.actor))


async def test_an_invited_partner_who_leaves_declines(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana, ben = cup.person(0), cup.person(1)
    await ana.run("tournament enter", partner=ben.actor)
    await ben.click(await ben.run("tournament leave"), "t_leave_yes")
    await cup.wait_until_idle()
    cup.message("Ben does not play **Friday cup** with you.")
    assert () == (await cup.tournament()).entrants


async def test_a_person_cannot_be_their_own_partner(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ana = cup.person(0)
    assert input_error_text(InputCode.NO_PARTNER) == text_of(await ana.run("tournament enter", partner=ana.actor))


async def test_a_command_about_a_missing_tournament_says_so(cup: CupServer) -> None:
    ana = cup.person(0)
    assert input_error_text(InputCode.NO_TOURNAMENT) == text_of(await ana.run("tournament standings"))
    await cup.publish()
    answer = await ana.run("tournament standings", tournament="Saturday cup")
    assert input_error_text(InputCode.NOT_A_TOURNAMENT, text="Saturday cup") == text_of(answer)


async def test_an_unanswered_invitation_expires_after_two_days(cup: CupServer) -> None:
    await cup.publish(drawn=False, name="October league", starts_at=cup.clock.now() + 10 * DAY, **SLOW)
    await cup.person(0).run("tournament enter", partner=cup.person(1).actor)
    await cup.pass_time(47 * HOUR)
    assert EntryStage.ASKED is (await cup.tournament()).entrants[0].stage
    question = cup.message("Ana asks you")
    await cup.pass_time(HOUR)
    assert () == (await cup.tournament()).entrants
    cup.message("Ben does not play **October league** with you.")
    assert "Your answer is no longer needed" in text_of(await cup.person(1).click(question, "t_yes"))


async def test_a_person_who_prefers_direct_messages_is_asked_in_one(cup: CupServer) -> None:
    await cup.publish(drawn=False)
    ben = cup.person(1)
    await cup.discord.application.client.context.profiles.change_preferences(
        ben.id, {"notices": "dm", "language": "it"}
    )
    await open_direct_messages(cup.discord, ben.id)
    await cup.person(0).run("tournament enter", partner=ben.actor)
    await cup.wait_until_idle()
    (letter,) = cup.direct_messages(ben)
    assert "Ana ti chiede di fare coppia in **Friday cup**." in text_of(letter)
    assert not [one for one in cup.public_texts() if "asks you" in one]
    at_home = UserHandle(cup.discord.environment, cup.discord.environment.backend.get_user(ben.id))
    await at_home.click(letter, custom_id=controls(letter)["t_yes"]["custom_id"])
    assert EntryStage.ENTERED is (await cup.tournament()).entrants[0].stage


async def test_leaving_asks_first_and_the_next_waiting_entry_moves_up(cup: CupServer) -> None:
    await cup.publish(places=4, drawn=False)
    tournaments = cup.discord.application.client.context.tournaments
    for one, other in ((0, 1), (2, 3)):
        await cup.person(one).run("tournament enter", partner=cup.person(other).actor)
        await tournaments.entering.answer_partner_invitation(cup.caller(cup.person(other)), 1, yes=True)
    asked = await cup.person(1).run("tournament leave")
    assert "Your pair gives up its place in this tournament. Sure?" == text_of(asked)
    assert {"t_leave_yes", "t_stay"} == set(controls(asked))
    assert "You stay in." == text_of(await cup.person(1).click(asked, "t_stay"))
    assert 2 == len((await cup.tournament()).entrants)
    asked = await cup.person(1).run("tournament leave")
    await cup.person(1).click(asked, "t_leave_yes")
    assert 1 == len((await cup.tournament()).entrants)


async def test_only_those_who_may_organise_create_tournaments(cup: CupServer) -> None:
    refused = await cup.person(0).run("tournament create", name="Mine")
    assert "Only organisers of this server" in text_of(refused)
    server = cup.discord.world.server
    role = server.create_role("organisers")
    await cup.organiser.run("setup organiser", role=role)
    member = server.add_member(cup.discord.environment.create_user("zoe", global_name="Zoe"), roles=[role])
    shown = await Person(member, cup.channel).run("tournament create", name="Mine")
    assert "**Mine** · Format" in text_of(shown)


async def test_checking_in_too_early_says_when(cup: CupServer) -> None:
    await cup.publish()
    await cup.person(0).run("tournament enter")
    assert text_of(await cup.person(0).run("tournament here")).startswith("Check-in is from <t:")
    await cup.pass_time(30 * MINUTE)
    assert "You are here." in text_of(await cup.person(0).run("tournament here"))
    assert "not in this tournament" in text_of(await cup.person(1).run("tournament here"))


async def test_entrants_are_informed_of_too_few_entries(cup: CupServer) -> None:
    await cup.publish()
    await cup.person(0).run("tournament enter")
    await cup.pass_time(30 * MINUTE)
    await cup.pass_time(25 * MINUTE)
    assert Stage.CLOSED is (await cup.tournament()).stage
    cup.message("Too few entries are here (0): the tournament is not played.")


async def test_entering_two_live_tournaments_at_once_causes_a_warning(cup: CupServer) -> None:
    await cup.publish()
    await cup.publish(name="Other cup", starts_at=cup.clock.now() + 2 * HOUR)
    ana = cup.person(0)
    await ana.run("tournament enter", tournament="1")
    answer = await ana.run("tournament enter", tournament="Other cup")
    assert "You are also in **Friday cup**" in text_of(answer)


async def test_several_tournaments_are_listed_and_offered(cup: CupServer) -> None:
    await cup.publish()
    await cup.publish(name="Other cup")
    ana = cup.person(0)
    assert "Several tournaments are open here" in text_of(await ana.run("tournament enter"))
    assert ["1", "2"] == await ana.suggestions("tournament enter", "tournament")
    assert ["2"] == await ana.suggestions("tournament enter", "tournament", "oth")
    listed = await ana.run("tournament list")
    assert ["1", "2"] == control_arguments(listed, "t_enter")
    await ana.press_exact_button(listed, "t_enter", "2")
    assert 1 == len((await cup.tournament(2)).entrants)
