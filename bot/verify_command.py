"""The command `verify`: checks a deal against published data, or a game's record.

See `docs/shuffle.md` and `docs/record.md`.
"""

from __future__ import annotations

import argparse
import hmac
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.notation import NotationError, cards_text, parse_cards
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord
from bot.tables.past.record_reading import parse_record
from bot.tables.past.record_replay import PLAYED, ReadDeal, ReadRecord
from bot.tables.past.record_writing import FORMAT
from bot.tables.state.shuffle import (
    NAME,
    SEED_BYTES,
    board_name,
    commitment_for_name,
    deal_name,
    digest_of_contributions,
    permutation_for_name,
)

HOLDS: Final = 0
FAILS: Final = 1
UNREADABLE: Final = 2

MOST_DECKS: Final = 12

_FIELDS: Final = (
    "table",
    "deal",
    "event",
    "board",
    "commitment",
    "seed",
    "contributions",
    "client",
    "pack",
    "decks",
    "jokers_per_deck",
)


class UnreadableDeal(ValueError):
    """Raised for data that does not describe a published deal; the message names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDeal:
    """The published data of a deal: contributions, their hash or both, perhaps the order of the pack.

    Its name is that of a table's deal, or of a tournament's board.
    """

    name: bytes
    commitment: str
    seed: bytes
    contributions: tuple[str, ...] | None
    client: str | None
    pack: tuple[Card, ...] | None
    decks: int
    jokers_per_deck: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check of a deal's published data."""

    holds: bool
    said: str


# --- reading ---------------------------------------------------------------------------------------------------------


def read_deal(data: object) -> PublishedDeal:
    """Return the deal in a JSON document. Raises `UnreadableDeal`."""
    if not isinstance(data, dict):
        raise UnreadableDeal("the document should be one JSON object")
    if data.get("shuffle", NAME) != NAME:
        raise UnreadableDeal(f"shuffle: this release knows {NAME} only")
    contributions, client = (
        _read_contributions(data),
        _read_hexadecimal(data, "client") if _has_field(data, "client") else None,
    )
    if contributions is None and client is None:
        raise UnreadableDeal("contributions: missing, and there is no client hash in their place")
    return PublishedDeal(
        name=_read_deal_name(data),
        commitment=_read_hexadecimal(data, "commitment"),
        seed=bytes.fromhex(_read_hexadecimal(data, "seed")),
        contributions=contributions,
        client=client,
        pack=_read_pack(data),
        decks=_read_whole_number(data, "decks", default=2, most=MOST_DECKS),
        jokers_per_deck=_read_whole_number(data, "jokers_per_deck", default=2, most=MOST_DECKS),
    )


def _read_deal_name(data: Mapping[str, Any]) -> bytes:
    """Return the name under which the deal was shuffled: that of a table's deal or a board."""
    if _has_field(data, "event") or _has_field(data, "board"):
        return board_name(_read_whole_number(data, "event"), _read_whole_number(data, "board"))
    return deal_name(_read_whole_number(data, "table"), _read_whole_number(data, "deal"))


def _has_field(data: Mapping[str, Any], name: str) -> bool:
    """Return whether the document has a value for that field."""
    return data.get(name) is not None


def _read_whole_number(data: Mapping[str, Any], name: str, *, default: int | None = None, most: int = 2**63 - 1) -> int:
    """Return a field as a whole number from 0 to `most`. Raises `UnreadableDeal`."""
    value = data.get(name, default)
    if type(value) is not int or not 0 <= value <= most:
        raise UnreadableDeal(f"{name}: should be a whole number from 0 to {most}")
    return value


def _read_hexadecimal(data: Mapping[str, Any], name: str) -> str:
    """Return a hash or a seed in lower case; both have 32 bytes."""
    value = data.get(name)
    try:
        read = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        read = b""
    if len(read) != SEED_BYTES:
        raise UnreadableDeal(f"{name}: should be {SEED_BYTES} bytes in hexadecimal")
    return read.hex()


def _read_contributions(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the players' contributions to the shuffle, or None if they are not published."""
    value = data.get("contributions")
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(word, str) and _is_single_line(word) for word in value):
        raise UnreadableDeal("contributions: should be a list of texts, one line each")
    return tuple(value)


def _is_single_line(word: str) -> bool:
    """Return whether a word is a single line of text."""
    return "\n" not in word and word.isprintable()


def _read_pack(data: Mapping[str, Any]) -> tuple[Card, ...] | None:
    """Return the published order of the pack, or None. Raises `UnreadableDeal`."""
    value = data.get("pack")
    if value is None:
        return None
    text = " ".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
    try:
        return parse_cards(text) if isinstance(text, str) else _raise_bad_pack()
    except NotationError:
        return _raise_bad_pack()


def _raise_bad_pack() -> tuple[Card, ...]:
    """Raise `UnreadableDeal` for a malformed pack."""
    raise UnreadableDeal("pack: should be cards as 7s or JK, with blanks between them")


# --- checking --------------------------------------------------------------------------------------------------------


def check_deal(deal: PublishedDeal) -> tuple[Finding, ...]:
    """Return the results of all checks that the published data allows."""
    return tuple(_deal_findings(deal))


def _deal_findings(deal: PublishedDeal) -> Iterator[Finding]:
    """Yield the results of all checks that the published data allows."""
    fits = hmac.compare_digest(commitment_for_name(deal.seed, deal.name), deal.commitment)
    yield Finding(fits, "the seed is the one that was committed to before the deal")
    if deal.contributions is not None and deal.client is not None:
        same = digest_of_contributions(deal.contributions) == deal.client
        yield Finding(same, "the hash of the contributions is the published one")
    if deal.pack is not None:
        yield Finding(deal.pack == shuffled_pack(deal), "the pack was dealt in the order that follows from both")


def contributions_hash(deal: PublishedDeal) -> str:
    """Return the hash of the players' contributions to the shuffle."""
    return deal.client or digest_of_contributions(deal.contributions or ())


def shuffled_pack(deal: PublishedDeal) -> tuple[Card, ...]:
    """Return the pack as shuffled from the seed and the contributions, first card first."""
    published = full_pack(deal.decks, deal.jokers_per_deck)
    order = permutation_for_name(deal.seed, deal.name, contributions_hash(deal), len(published))
    return tuple(published[place] for place in order)


# --- the command -----------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command: a file, or the values that it would have."""
    parser.add_argument(
        "file", nargs="?", help="a JSON document with the fields below, or a game's record; - for standard input"
    )
    values = parser.add_argument_group("instead of a file")
    values.add_argument("--table", type=int, metavar="NUMBER")
    values.add_argument("--deal", type=int, metavar="NUMBER")
    values.add_argument("--event", type=int, metavar="NUMBER", help="of a tournament, whose boards are shuffled once")
    values.add_argument("--board", type=int, metavar="NUMBER")
    values.add_argument("--commitment", metavar="HEX", help="as published before the deal")
    values.add_argument("--seed", metavar="HEX", help="as published after the deal")
    values.add_argument(
        "--contributions", metavar="WORD,WORD", help="as published, in order; in quotation marks where there are spaces"
    )
    values.add_argument("--client", metavar="HEX", help="the hash of the contributions, in their place")
    values.add_argument("--pack", metavar="CARDS", help="the order that was dealt, as 'Ks 7h JK'")
    values.add_argument("--decks", type=int, default=2, metavar="NUMBER")
    values.add_argument("--jokers-per-deck", type=int, default=2, metavar="NUMBER")


def execute(arguments: argparse.Namespace) -> int:
    """Return 0 if the published data is consistent, 1 if it is not, 2 if it cannot be read."""
    try:
        document = _read_document(arguments)
        if isinstance(document, dict) and document.get("format") == FORMAT:
            return _verify_record(document, arguments.table)
        deal = read_deal(document)
    except (UnreadableDeal, InvalidRecord) as problem:
        print(f"canasta-bot verify: {problem}", file=sys.stderr)
        return UNREADABLE if isinstance(problem, UnreadableDeal | UnreadableRecord) else FAILS
    findings = check_deal(deal)
    print(f"{NAME}, {_deal_name_text(deal.name)}")
    for finding in findings:
        print(f"{'holds' if finding.holds else 'FAILS'}  {finding.said}")
    print(f"contributions, hashed: {contributions_hash(deal)}")
    print(f"the pack, first card dealt first: {cards_text(shuffled_pack(deal))}")
    return HOLDS if all(finding.holds for finding in findings) else FAILS


def _deal_name_text(name: bytes) -> str:
    """Return a deal's name as text such as `table 1, deal 2`."""
    return name.decode("ascii").replace("=", " ").replace(";", ", ")


def _verify_record(document: object, table: int | None) -> int:
    """Replay a record, check its shuffles and list unproved claims.

    `table` is needed for records of version 1.
    """
    record = parse_record(document)
    shuffles = [_published_deal(record, deal, table) for deal in record.deals]
    print(f"{FORMAT}: {record.rules.name} for {record.rules.players}")
    holds = True
    for deal, published in zip(record.deals, shuffles, strict=True):
        scores = ", ".join(str(score) for score in deal.ended.scores)
        print(f"holds  deal {deal.deal}: the cards are all there after {deal.turns} turns, and count {scores}")
        if published is None:
            reason = "its cards were known" if deal.shuffle is None else "checked with --table NUMBER"
            print(f"       deal {deal.deal}: the shuffle is not checked: {reason}")
            continue
        for finding in check_deal(published):
            print(f"{'holds' if finding.holds else 'FAILS'}  deal {deal.deal}: {finding.said}")
            holds = holds and finding.holds
    print(f"Not proved: {'; '.join(_unproved_statements(record))}")
    return HOLDS if holds else FAILS


def _unproved_statements(record: ReadRecord) -> Iterator[str]:
    """Yield sentences that say what this record cannot prove."""
    yield from ("the names", "who held a seat when", "that each step was allowed")
    if record.version == 1:
        yield from ("in which order cards were drawn", "who won")
    if record.how != PLAYED or record.version == 1:
        yield from ("how the game ended", "that no further deal was played")


def _published_deal(record: ReadRecord, deal: ReadDeal, table: int | None) -> PublishedDeal | None:
    """Return the published data of a deal of a record; None if the record has none to check.

    Raises `InvalidRecord` if the data is malformed, so that it cannot have been published.
    """
    shuffle = deal.shuffle
    if shuffle is None or not (shuffle.name or table is not None):
        return None
    name = shuffle.name.encode("ascii") if shuffle.name else deal_name(table or 0, deal.deal)
    told = {
        "table": 0,
        "deal": deal.deal,
        "commitment": shuffle.commitment,
        "seed": shuffle.seed,
        "contributions": list(shuffle.contributions),
        "decks": record.rules.decks,
        "jokers_per_deck": record.rules.jokers_per_deck,
    }
    try:
        return replace(read_deal(told), name=name, pack=deal.pack)
    except UnreadableDeal as fault:
        raise InvalidRecord(str(fault), f"deal {deal.deal}") from None


def _read_document(arguments: argparse.Namespace) -> object:
    """Return the document that the arguments name, or the values given as arguments."""
    if arguments.file is None:
        values = {name: getattr(arguments, name) for name in _FIELDS}
        words = arguments.contributions
        return values if words is None else {**values, "contributions": [word.strip() for word in words.split(",")]}
    try:
        text = sys.stdin.read() if arguments.file == "-" else Path(arguments.file).read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as error:
        raise UnreadableDeal(f"{arguments.file}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UnreadableDeal(f"{arguments.file}: is not a JSON document") from None
