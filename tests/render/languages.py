"""Words of a language that needs much room and writes numbers its own way."""

from __future__ import annotations

from dataclasses import replace

from render.words import ENGLISH

LONG = replace(
    ENGLISH,
    your_hand="Deine Handkarten",
    cards="{n} Handkarten",
    card="1 Handkarte",
    points="{n} Kartenpunkte",
    meld="Erstmeldung {n}",
    frozen="Eingefroren",
    deal="Austeilung {n}",
    target="bis {n} Punkte",
    on_table="{n} in dieser Austeilung",
    minimum="Die Erstmeldung braucht {n} Punkte",
    natural="NATÜRL",
    mixed="GEMISCHT",
    wild="WILDE",
    run="FOLGE",
    resting="Setzen diesmal aus: {names}",
    foot="Fußkarten {n}",
    talon="Ersatzkarten {n}",
    seat="Sitzplatz {n}",
    dealer="Kartengeber",
    score_sheet="Punkteabrechnung",
    game_sheet="Spielverlauf bisher",
    final_score="Schlussabrechnung",
    this_deal="Diese Austeilung",
    deals="Austeilungen {first} bis {last}",
    natural_canastas="Natürliche Canastas",
    mixed_canastas="Gemischte Canastas",
    other_canastas="Sonstige Canastas",
    red_threes="Rote Dreien",
    going_out="Ausmachen",
    melded="Ausgelegte Karten",
    in_hand="Verbliebene Handkarten",
    penalties="Strafpunkte",
    bonuses="Sonderprämien",
    deal_total="Summe der Austeilung",
    total="Gesamtsumme",
    not_known="noch unentschieden",
    bracket_round="Begegnungsrunde {n}",
    games_ago="vor {n} Begegnungen",
    now="gerade jetzt",
    thousands=".",
    thousands_from=10_000,
)
