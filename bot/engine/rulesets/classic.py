"""The classic laws for two players and for four in pairs (`rules/classic.md 1` and 2.1, the column `official`)."""

from __future__ import annotations

from bot.engine.rules import RuleSet

CLASSIC: dict[int, RuleSet] = {
    2: RuleSet(
        name="classic",
        players=2,
        teams="solo",
        hand_size=15,
        draw=2,
        out_canastas=2,
        ask_partner="none",
    ),
    4: RuleSet(name="classic", players=4, teams="2x2"),
}
