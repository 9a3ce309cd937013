"""How the events of a table's log are stored; those of the game itself are `bot.store.game_forms`'s."""

from __future__ import annotations

from typing import Final

from bot.clocks.law import Stage
from bot.store.forms import CARDS, FLAG, NUMBER, TEXT, Field, Form, Forms, one_of, optional, several, whole
from bot.store.game_forms import decode_state, encode_state
from bot.tables import events
from bot.tables.absence.forms import EVENT_FORMS
from bot.tables.contest.forms import EVENT_FORMS as CONTEST_FORMS
from bot.tables.holder_fields import HOLDER, PERSON
from bot.tables.looks import ClosedBecause
from bot.tables.value_forms import (
    CONCLUSION,
    PACK_KNOWN,
    PAIR,
    PAUSE,
    PROPOSAL,
    RECENT,
    RULES,
    SEAT_CLOCK,
    SETTINGS,
)

TABLE_EVENTS: Final = Forms(
    "table",
    (
        Form(
            "lobby_opened",
            events.LobbyOpened,
            {"rules": RULES, "host": PERSON, "at": NUMBER, "saved_as": TEXT},
            younger={"saved_as": ""},
        ),
        Form("rules_changed", events.RulesChanged, {"rules": RULES}),
        Form(
            "rules_chosen",
            events.RulesChosen,
            {"rules": RULES, "saved_as": TEXT, "seats": several(HOLDER)},
        ),
        Form("seat_changed", events.SeatChanged, {"seat": NUMBER, "holder": HOLDER}),
        Form("host_changed", events.HostChanged, {"person": PERSON}),
        Form("join_wished", events.JoinRequested, {"holder": HOLDER}),
        Form("wish_dropped", events.JoinWithdrawn, {"person": PERSON}),
        Form("game_started", events.GameStarted, {"dealer": NUMBER}),
        Form("seed_committed", events.SeedCommitted, {"deal": NUMBER, "commitment": TEXT}),
        Form("contributed", events.Contributed, {"seat": NUMBER, "word": TEXT}),
        Form("shuffled", events.Shuffled, {"deal": NUMBER, "contributions": several(TEXT)}),
        Form("seed_revealed", events.SeedRevealed, {"deal": NUMBER, "seed": TEXT}),
        Form("roll_called", events.RollCallOpened, {"at": NUMBER, "seats": several(NUMBER), "fill": FLAG}),
        Form("present_said", events.PresenceConfirmed, {"seat": NUMBER}),
        Form("roll_ended", events.RollCallEnded, {}),
        Form("place_lost", events.ChannelLost, {"at": NUMBER}),
        Form("place_found", events.ChannelRestored, {}),
        Form("deadline_set", events.DeadlineSet, {"deadline": one_of(events.Deadline), "due_at": optional(NUMBER)}),
        Form("table_closed", events.TableClosed, {"because": one_of(ClosedBecause)}),
        Form("proposed", events.Proposed, {"proposal": whole(PROPOSAL)}),
        Form("proposal_answered", events.ProposalAnswered, {"person": PERSON, "agrees": FLAG}),
        Form("proposal_ended", events.ProposalEnded, {"agreed": FLAG}),
        Form(
            "undone",
            events.Undone,
            {
                "version": NUMBER,
                "game": Field(encode_state, decode_state),
                "recent": several(RECENT),
                "drawn": several(CARDS),
            },
        ),
        Form("substitute_sought", events.SubstituteSearchOpened, {"seat": NUMBER, "at": NUMBER}),
        Form("settings_chosen", events.SettingsChosen, {"settings": whole(SETTINGS)}),
        Form("clock_set", events.ClockSet, {"seat": NUMBER, "clock": whole(SEAT_CLOCK)}),
        Form("clock_runs", events.ClockRuns, {"seat": NUMBER, "since": NUMBER, "until": NUMBER, "turn": PAIR}),
        Form("clock_stopped", events.ClockStopped, {}),
        Form("stage_reached", events.StageReached, {"seat": NUMBER, "stage": one_of(Stage), "until": NUMBER}),
        Form("last_deal_came", events.LastDealReached, {}),
        Form("game_paused", events.GamePaused, {"pause": whole(PAUSE)}),
        Form("game_resumed", events.GameResumed, {}),
        Form("game_concluded", events.GameConcluded, {"conclusion": whole(CONCLUSION)}),
        PACK_KNOWN,
        Form("rematch_opened", events.RematchOpened, {"following": NUMBER}),
        *EVENT_FORMS,
        *CONTEST_FORMS,
    ),
)
