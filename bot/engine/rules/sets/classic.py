"""The classic rules (`docs/law/classic.md 1, 2`), and British canasta (`docs/law/variants.md 3.7`)."""

from __future__ import annotations

from bot.engine.rules.sets.forms import (
    CUT_THROAT,
    FOUR_PLAYERS,
    PAIR_AND_TRIO,
    ROTATING_TRIOS,
    THREE_PAIRS,
    THREE_PLAYERS,
    TWO_PLAYERS,
    TWO_PLAYERS_SHORT,
    TWO_TRIOS,
    RuleSetNotes,
    forms_of,
)

CLASSIC = forms_of("classic", {}, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, PAIR_AND_TRIO, THREE_PAIRS)
CLASSIC_13 = forms_of("classic-13", {}, TWO_PLAYERS_SHORT)
CLASSIC_CUT_THROAT = forms_of("classic-cut-throat", {}, CUT_THROAT)
CLASSIC_ROTATING = forms_of("classic-rotating", {}, ROTATING_TRIOS)
CLASSIC_TRIOS = forms_of("classic-trios", {}, TWO_TRIOS)
BRITISH = forms_of("british", {}, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, THREE_PAIRS)

CLASSIC_NOTES = RuleSetNotes(
    source="The classic laws as Pagat's and Bicycle's pages give them; for six players rummy-games.com",
    sure="high",
    open_points=(
        "A black three turned as the first upcard stays; Bicycle covers it",
        "A red three as the last card of the stock ends the deal at once; Britannica lets its drawer meld first",
        "May I go out: after the draw only a hand that could go out may ask, since a yes binds; no source bars others",
        "An exact tie at the target: no source says what decides; here another deal does",
    ),
    points_of_forms={
        "Three players: draw one and one canasta, though some draw two or ask for two canastas": (3,),
        "Five players: which two of the trio begin, and who deals when the dealer rests, no source says": (5,),
        "Three pairs: three packs, two canastas and 7,500 points rest on one source": (6,),
    },
)
CLASSIC_13_NOTES = RuleSetNotes(
    source="The shorter form for two of the Indonesian text, 2.2.b and 2.4, with the classic laws",
    sure="medium",
)
CLASSIC_CUT_THROAT_NOTES = RuleSetNotes(
    source="The cut-throat game for three of Bicycle's and Pagat's pages, with the classic laws",
    sure="medium",
    open_points=(
        "One canasta to go out, as nobody says otherwise but rummy-games.com, which asks for two",
        "Melds of one rank that both partners had are put together, though with more than three wild cards",
        "Partners do not ask each other for permission to go out",
    ),
)
CLASSIC_ROTATING_NOTES = RuleSetNotes(
    source="The Indonesian text, 5.1, and Dummies, with the classic laws",
    sure="medium",
    open_points=("The one who rests changes with every deal: the third of each trio, then the second, then the first",),
)
CLASSIC_TRIOS_NOTES = RuleSetNotes(
    source="The Afrikaans text, line 36, and two Spanish rules pages",
    sure="medium",
    open_points=("Which of two partners is asked for permission: here the next of them to play",),
)
BRITISH_NOTES = RuleSetNotes(
    source="The classic laws; British material that could be found plays by them",
    sure="low",
    open_points=(
        "No text of a British canasta of its own was found",
        "British pages name two, three, four and six players, so five do not play",
    ),
)
