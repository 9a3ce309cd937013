"""Measuring speed: `canasta-bot bench engine` and `bench render`. Figures are printed, never asserted."""

from __future__ import annotations

import argparse

from bot.bench import engine, render


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe what can be measured."""
    subjects = parser.add_subparsers(dest="subject", metavar="SUBJECT", required=True)
    engine.add_arguments(subjects.add_parser("engine", help="random legal play, beside python-chess in the same run"))
    render.add_arguments(subjects.add_parser("render", help="pictures, beside the least they cost in the same run"))


def execute(arguments: argparse.Namespace) -> int:
    """Measure and print; 0 unless something could not be measured."""
    return render.execute(arguments) if arguments.subject == "render" else engine.execute(arguments)
