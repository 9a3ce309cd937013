"""Records of games played at random by the engine, and tampered versions of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any, Final

from bot.engine.moves.actions import Attempt, DiscardCard, LayMelds, StartDeal, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.named_themes import with_themes
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game
from bot.tables.past.history import History, history_of
from bot.tables.past.record_writing import text_of_record
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.events import (
    AnyEvent,
    GameConcluded,
    GameStarted,
    LobbyOpened,
    SeatChanged,
    SeedCommitted,
    SeedRevealed,
    SettingsChosen,
    Shuffled,
)
from bot.tables.state.shuffle import commitment, deal_pack
from bot.tables.state.snapshots import SeatHolder
from tests.support.game_histories import PEOPLE
from tests.support.random_play import random_act, seeded_pack, steps_of_a_deal

TABLE: Final = 12
DEALS: Final = 2

EVERY_FORM: Final = tuple(form for forms in RULE_SETS.values() for form in forms.values())
"""All rule sets with all player counts."""

UNUSUAL: Final = {
    "reshuffle": replace(rule_set("classic", 4), stock_end="reshuffle", out_canastas=5),
    "reclaim": replace(rule_set("samba", 2), wild_reclaim="natural_canasta"),
    "penalties": replace(rule_set("classic", 4), penalties="laws"),
    "two_twos": replace(rule_set("classic", 2), take_twos=True),
    "covered": replace(rule_set("samba", 4), upcard_specials="keep_first_reinsert_rest", pile_hidden=3),
    "put_back": replace(
        rule_set("classic", 4), upcard_specials="reinsert_all", upcard_cover=frozenset({"W", "R3", "B3"})
    ),
    "seven": replace(rule_set("classic", 2), auto_win="7_canastas", canasta_size=4, out_canastas=5, draw=3),
    "golden": with_themes(replace(rule_set("classic", 2), canasta_size=4, draw=3), ["golden-aces"]),
    "by_deal": replace(rule_set("classic", 2), hand_size=(11, 13), both_reach="raise_1000", target=500),
}
"""House rules with steps or beginnings of deals that no rule set has."""


@dataclass(frozen=True)
class RecordedGameSettings:
    """Settings for a recorded game: the seed of its randomness, its stock, and how it ends."""

    seed: int
    streams: bool = False
    shuffled: bool = False
    how: str = "agreed"


def history_of_game(rules: RuleSet, settings: RecordedGameSettings) -> History:
    """Return the history of a game of two deals played by random steps.

    A computer player takes the first seat during the second deal.
    """
    dealer = settings.seed % rules.players
    state = new_game(rules, dealer=dealer)
    holders = [SeatHolder("person", 10 + seat, PEOPLE[seat]) for seat in range(rules.players)]
    length = DEALS if settings.how == "played" else None
    log: list[AnyEvent] = [
        LobbyOpened(rules, 10, 0),
        SettingsChosen(TableSettings(deals=length)),
        *[SeatChanged(seat, holder) for seat, holder in enumerate(holders)],
        GameStarted(state.dealer),
    ]
    for deal in range(1, DEALS + 1):
        if state.phase is Phase.OVER:
            break
        before, pack, after = _shuffle_pack(rules, settings, deal)
        events = decide(state, None, StartDeal(pack, streams=settings.streams))
        log += [*before, *events]
        state = fold(state, events)
        for number, happened in enumerate(_random_step_events(state, Random(f"{settings.seed}:{deal}"))):
            log += happened
            state = fold(state, happened)
            if (deal, number) == (2, 9):
                log.append(SeatChanged(0, SeatHolder("computer", number=1)))
        log += after
    if state.phase is not Phase.OVER:
        log.append(GameConcluded(_conclusion_of_game(state, settings.how)))
    return history_of(log)


def _random_step_events(state: State, random: Random) -> Iterator[list[Any]]:
    """Yield the events of each random step of a deal.

    Where the rules penalise irregularities, random acts are attempted too.
    """
    if state.rules.penalties == "off":
        yield from ([*one.events] for one in steps_of_a_deal(state, random))
        return
    while state.phase in (Phase.DRAW, Phase.PLAY, Phase.ANSWER):
        tried: list[Any] = []
        for _ in range(3):
            with suppress(Refusal):
                seat = random.randrange(state.rules.players)
                act = random_act(state, random)
                assert isinstance(act, LayMelds | TakePile | DiscardCard)
                tried = [*decide(state, seat, Attempt(act))]
        if not tried:
            tried = [*next(steps_of_a_deal(state, random)).events]
        yield tried
        state = fold(state, tried)


def _shuffle_pack(
    rules: RuleSet, settings: RecordedGameSettings, deal: int
) -> tuple[list[AnyEvent], tuple[int, ...], list[AnyEvent]]:
    """Return the pack for a deal, and the events of its shuffle that come before and after the deal."""
    if not settings.shuffled:
        return [], seeded_pack(rules, settings.seed * 1000 + deal), []
    seed, words = sha256(f"{settings.seed}:{deal}".encode()).digest(), ("111", "sea breeze")
    pack = deal_pack(seed, TABLE, deal, words, decks=rules.decks, jokers_per_deck=rules.jokers_per_deck)
    before: list[AnyEvent] = [SeedCommitted(deal, commitment(seed, TABLE, deal)), Shuffled(deal, words)]
    return before, pack, [SeedRevealed(deal, seed.hex())]


def _conclusion_of_game(state: State, ending: str) -> Conclusion:
    best = [number for number, score in enumerate(state.scores) if score == max(state.scores)]
    if ending != "resigned":
        return Conclusion(ending, best[0] if len(best) == 1 else None, state.scores)
    others = range(1, len(state.scores))
    best = [number for number in others if state.scores[number] == max(state.scores[one] for one in others)]
    return Conclusion(ending, best[0] if len(best) == 1 else None, state.scores, last=0)


def record_of_game(rules: RuleSet, settings: RecordedGameSettings) -> str:
    """Return the record of the game that `history_of_game` plays."""
    history = history_of_game(rules, settings)
    return text_of_record(history, table=TABLE, deals=[deal.number for deal in history.deals])


# --- tampering --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TamperedRecord:
    """A tampered record, and the part of it (`where`) that a reader must name when it rejects it."""

    text: str
    where: str
    what: str


def records_with_altered_draw(text: str, random: Random, count: int) -> Iterator[TamperedRecord]:
    """Yield records in which one drawn card is replaced by a different one."""
    data = json.loads(text)
    draws = _places_of_draws(data)
    for _ in range(count):
        deal, turn, step = random.choice(draws)
        other = json.loads(text)
        drew = other["deals"][deal]["turns"][turn][step]
        cards = _split_cards(drew[1])
        at = random.randrange(len(cards))
        cards[at] = random.choice([one for one in _split_cards(data["deals"][deal]["pack"]) if one != cards[at]])
        drew[1] = "".join(cards)
        yield TamperedRecord(json.dumps(other), f"deal {deal + 1}, turn {turn + 1}, step {step}", "an altered draw")


def records_with_exchanged_draws(text: str, random: Random, count: int) -> Iterator[TamperedRecord]:
    """Yield records in which the cards of two draws of a deal are swapped."""
    draws = _places_of_draws(json.loads(text))
    for _ in range(count):
        other = json.loads(text)
        one, two = _choose_two_different(other, draws, random)
        first, second = (other["deals"][deal]["turns"][turn] for deal, turn, _ in (one, two))
        first[one[2]], second[two[2]] = second[two[2]], first[one[2]]
        deal, turn, step = min(one, two)
        yield TamperedRecord(json.dumps(other), f"deal {deal + 1}, turn {turn + 1}, step {step}", "exchanged draws")


def records_with_exchanged_turns(text: str, random: Random, count: int) -> Iterator[TamperedRecord]:
    """Yield records in which two turns of a deal are exchanged, alternately with and without their seats."""
    turns = [
        (deal, turn, 0) for deal, one in enumerate(json.loads(text)["deals"]) for turn, _ in enumerate(one["turns"])
    ]
    for number in range(count):
        other = json.loads(text)
        one, two = _choose_two_different(other, turns, random)
        deal = other["deals"][one[0]]["turns"]
        first, second = deal[one[1]], deal[two[1]]
        if number % 2:
            deal[one[1]], deal[two[1]] = second, first
        else:
            first[1:], second[1:] = second[1:], first[1:]
        yield TamperedRecord(json.dumps(other), f"deal {one[0] + 1}, turn ", "exchanged turns")


def other_false_records(text: str) -> Iterator[TamperedRecord]:
    """Yield copies of the record with one contradiction each: a wrong winner, seat, holder, deal or setup."""
    data = json.loads(text)
    scores = data["deals"][-1]["scores"]
    for winner in (*range(len(scores)), None):
        if winner != data["result"]["winner"] and data["result"]["how"] in ("played", "agreed", "latest_end"):
            yield _tampered_record(text, "result", "another winner", result=data["result"] | {"winner": winner})
    yield _tampered_record(text, "result", "no result", result=data["result"] | {"scores": scores[1:] + scores[:1]})
    if data["result"].get("gave_up"):
        yield _tampered_record(text, "result", "a winner that gave up", result=data["result"] | {"winner": 0})
    yield _tampered_record(text, "seats", "a seat without holders", seats=data["seats"][1:])
    yield _tampered_record(text, "seats", "holders of no turn", seats=[[], *data["seats"][1:]])
    late = [{**data["seats"][0][0], "from": [9, 1]}]
    yield _tampered_record(
        text, "seats", "a holder after the game", seats=[[*data["seats"][0], *late], *data["seats"][1:]]
    )
    yield _tampered_record(text, "seats", "holders in another order", seats=[data["seats"][0] * 2, *data["seats"][1:]])
    first, *rest = data["deals"]
    yield _tampered_record(text, "deal 1", "the first deal dropped", deals=rest or [{**first, "deal": 2}])
    renumbered = [{**one, "deal": number} for number, one in enumerate(rest, start=1)]
    if renumbered:
        yield _tampered_record(text, "deal 1", "the first deal dropped, the others renumbered", deals=renumbered)
    if rest:
        told = ("result", "seats")
        yield replace(
            _tampered_record(text, "", "the last deal dropped", deals=data["deals"][:-1]), where=" or ".join(told)
        )
    for name, value in _false_deal_values(first):
        yield _tampered_record(text, "deal 1", f"another {name}", deals=[first | {name: value}, *rest])


def _false_deal_values(deal: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in ("order", "sides", "hands"):
        if len(set(deal[name])) > 1:
            yield name, [*deal[name][1:], deal[name][0]]
    yield "dealer", deal["order"][deal["order"].index(deal["dealer"]) - 1]
    yield "pack", deal["pack"][2:] + deal["pack"][:2]
    stock = deal["stock"]
    yield "stock", stock[::-1] if isinstance(stock, list) else stock[2:] + stock[:2]
    yield "pile", deal["pile"] + deal["pack"][:2]
    yield "turned", deal["turned"] + deal["pack"][:2]
    yield "replaced", [*deal.get("replaced", []), [deal["order"][0], "3h", "4s"]]
    yield "hidden", deal.get("hidden", 0) + 1
    yield "frozen", not deal.get("frozen", False)
    if deal["turns"][-1][1:] != [["passed"]]:
        yield "turns", deal["turns"][:-1]
    yield "turns", [[deal["turns"][0][0], *deal["turns"][0][1:], *deal["turns"][1][1:]], *deal["turns"][2:]]
    yield "scores", [deal["scores"][0] + 5, *deal["scores"][1:]]
    yield "lines", [{"melded": 5}, *deal["lines"][1:]]


def _tampered_record(text: str, place: str, change: str, **different: Any) -> TamperedRecord:
    """Return the record with `different` as top-level values; `place` and `change` describe the change."""
    return TamperedRecord(json.dumps({**json.loads(text), **different}), place, change)


def _places_of_draws(data: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Return the deal, turn and step of every draw.

    Deals and turns are counted from 0, steps from 1.
    """
    return [
        (deal, turn, step)
        for deal, one in enumerate(data["deals"])
        for turn, steps in enumerate(one["turns"])
        for step, told in enumerate(steps)
        if step and told[0] == "drew" and len(told) > 1
    ]


def _choose_two_different(data: dict[str, Any], places: list[tuple[int, int, int]], random: Random) -> list[Any]:
    """Return two places in the same deal at which the content differs, neither beginning like the other."""

    def step_content(deal: int, turn: int, step: int) -> Any:
        steps = data["deals"][deal]["turns"][turn]
        return steps[step][1] if step else steps[1:]

    while True:
        one, two = random.sample(places, 2)
        first, second = step_content(*one), step_content(*two)
        if one[0] == two[0] and first != second[: len(first)] and second != first[: len(second)]:
            return [one, two]


def _split_cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]
