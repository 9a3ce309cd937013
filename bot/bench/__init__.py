"""The command `canasta-bot bench`: measure players, engine, answers on Discord, pairing, pictures, store and others.

Figures are printed, never asserted.
"""

from __future__ import annotations

import argparse

from bot.bench import computer, discord, engine, pairing, point_swing, render, seating, store, tournament


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a subcommand for each measurement."""
    subjects = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    computer.add_arguments(subjects.add_parser("computer", help="decisions and rollouts of the computer players"))
    discord.add_arguments(
        subjects.add_parser("discord", help="answers to presses over sockets, beside a bare responder in the same run")
    )
    engine.add_arguments(subjects.add_parser("engine", help="random legal play, beside python-chess in the same run"))
    pairing.add_arguments(
        subjects.add_parser("pairing", help="rounds of a large tournament, beside a random matching in the same run")
    )
    seating.add_arguments(
        subjects.add_parser("seating", help="how long the tables of a large round wait for their threads and calls")
    )
    store.add_arguments(subjects.add_parser("store", help="durable actions, and a start with many tables"))
    render.add_arguments(subjects.add_parser("render", help="pictures, beside the least they cost in the same run"))
    point_swing.add_arguments(subjects.add_parser("swing", help="how far the net of a deal swings in each rule set"))
    tournament.add_arguments(
        subjects.add_parser("tournament", help="a tournament of a thousand: bytes a step, draws, stalls of the loop")
    )


def execute(arguments: argparse.Namespace) -> int:
    """Measure and print; return 0 unless a measurement is impossible."""
    subjects = {
        "computer": computer.execute,
        "discord": discord.execute,
        "engine": engine.execute,
        "pairing": pairing.execute,
        "render": render.execute,
        "seating": seating.execute,
        "store": store.execute,
        "swing": point_swing.execute,
        "tournament": tournament.execute,
    }
    return subjects[arguments.subject](arguments)
