"""The command `canasta-bot bench`, which measures parts of the program.

They are computer players, engine, answers on Discord, pairing, pictures, store and others. Figures are printed, never
asserted.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Final

SUBJECTS: Final[Mapping[str, tuple[str, str]]] = {
    "computer": ("computer", "decisions and rollouts of the computer players"),
    "discord": ("discord", "answers to clicks over sockets, beside a program that only answers"),
    "engine": ("engine", "random legal play, beside python-chess in the same run"),
    "pairing": ("pairing", "rounds of a large tournament, beside a random matching in the same run"),
    "seating": ("seating", "how long the tables of a large round wait for their threads and calls"),
    "store": ("store", "durable actions, and a start with many tables"),
    "render": ("render", "pictures, beside the least that their pixels cost"),
    "swing": ("point_swing", "how far the points of a deal vary in each rule set"),
    "tournament": (
        "tournament",
        "a tournament of a thousand: bytes written by a step, time of draws, stalls of the loop",
    ),
}
"""The module and the help of each measurement."""


def _load_subject(subject: str) -> ModuleType:
    """Import and return the module of a measurement.

    Other measurements are not imported, so that they do not count in the start and memory of the process.
    """
    return import_module(f"{__name__}.{SUBJECTS[subject][0]}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a subcommand for each measurement."""
    subjects = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    for subject, (_, text) in SUBJECTS.items():
        _load_subject(subject).add_arguments(subjects.add_parser(subject, help=text))


def execute(arguments: argparse.Namespace) -> int:
    """Run the chosen measurement and print its figures.

    Return 0, or another number if the measurement is impossible.
    """
    return int(_load_subject(arguments.subject).execute(arguments))
