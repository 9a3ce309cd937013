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
    forms_by_players,
)

CLASSIC = forms_by_players("classic", {}, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, PAIR_AND_TRIO, THREE_PAIRS)
CLASSIC_13 = forms_by_players("classic-13", {}, TWO_PLAYERS_SHORT)
CLASSIC_CUT_THROAT = forms_by_players("classic-cut-throat", {}, CUT_THROAT)
CLASSIC_ROTATING = forms_by_players("classic-rotating", {}, ROTATING_TRIOS)
CLASSIC_TRIOS = forms_by_players("classic-trios", {}, TWO_TRIOS)
BRITISH = forms_by_players("british", {}, TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, THREE_PAIRS)

CLASSIC_NOTES = RuleSetNotes(
    source="The classic laws as Pagat's and Bicycle's pages give them; for six players rummy-games.com",
    sure="high",
    open_points=(
        "A black three turned as the first upcard stays; Bicycle covers it",
        "A red three as the last card of the stock ends the deal at once; Britannica lets its drawer meld first",
        (
            "After the draw you may ask to go out only if your hand can go out, because a yes binds; no source "
            "bars other hands"
        ),
        "No source says what decides an exact tie at the target; here another deal is played",
    ),
    points_of_forms={
        "Three players draw one card and need one canasta; in some sources they draw two or need two canastas": (3,),
        "Five players: no source says which two of the trio begin, or who deals when the dealer rests": (5,),
        "Three pairs: three packs, two canastas and 7,500 points rest on one source": (6,),
    },
)
CLASSIC_13_NOTES = RuleSetNotes(
    source="The shorter form for two players in the Indonesian text, 2.2.b and 2.4, with the classic laws",
    sure="medium",
)
CLASSIC_CUT_THROAT_NOTES = RuleSetNotes(
    source="The cut-throat game for three players from Bicycle's and Pagat's pages, with the classic laws",
    sure="medium",
    open_points=(
        "One canasta is enough to go out; only rummy-games.com asks for two",
        "If both partners have a meld of one rank, the two are put together, even with more than three wild cards",
        "Partners do not ask each other for permission to go out",
    ),
)
CLASSIC_ROTATING_NOTES = RuleSetNotes(
    source="The Indonesian text, 5.1, and Dummies, with the classic laws",
    sure="medium",
    open_points=("A different player rests in every deal: the third of each trio, then the second, then the first",),
)
CLASSIC_TRIOS_NOTES = RuleSetNotes(
    source="The Afrikaans text, line 36, and two Spanish rules pages",
    sure="medium",
    open_points=(
        "The sources do not say which of two partners is asked for permission; here the partner who plays next",
    ),
)
BRITISH_NOTES = RuleSetNotes(
    source="The classic laws; all British material that could be found uses them",
    sure="low",
    open_points=(
        "No text was found with British rules of its own",
        "British pages name two, three, four and six players, so five cannot play",
    ),
)
