"""Sample positions and pictures, shared by tests, golden pictures and the palette."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.engine.cards.cards import ACE, BLACK_THREE, CLUBS, HEARTS, JOKER, JOKER_CARD, KING, SPADES, TWO
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.events import DealEnd, DealEnded, ScoreLines
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.parameter_declarations import InitialCanasta
from bot.engine.table.views import MeldView, SeatInfo, SeatView
from render.layout_items import ThemeName
from render.layouts.side_panel import FIRST_RUN
from render.picture_inputs import (
    BoardPicture,
    HandOrder,
    HandPicture,
    OpenHand,
    Picture,
    ReplayPicture,
    ScorePicture,
    SheetKind,
)
from render.picture_words import PictureWords
from tests.render.sheet_samples import sheet_pictures

NAMES = ("North", "East", "South", "West")

STOCK = " ".join(["4c 5d 9h Jc Qd 8s 6h"] * 6)

MIDDLE: Mapping[str, Any] = {
    "players": 4,
    "scores": [1245, 2180],
    "dealer": 3,
    "deal": 3,
    "position": {
        "turn": 0,
        "phase": "draw",
        "hands": {
            "0": "As Ah Ks Kd Kc Th Tc 9d 7s 7h 7c 4d 3s JK 2c",
            "1": "4s 4h 5d 6c 8h 9s Td Jh Qc",
            "2": "5c 6d 6h 8d 9c Js Qh Kh As Ad 3c 2d JK 8c",
            "3": "4c 5h 7d 8s 9h Ts Jd Qs Ks Ac 2h 6s",
        },
        "stock": STOCK,
        "pile": "5s 6d 9h Qc 4d 8h JK Tc 5d Jh 9c 4s Kd 6h 8c Qd 7s",
        "frozen": True,
        "melds": {
            "0": ["Ks Ks Kh Kd Kc Kh Kd Kc", "7s 7h 7d 7c 7s 2c JK", "9d 9h 9s 9c 2s", "Qs Qh Qd", "5s 5h 5c"],
            "1": ["As Ah Ad Ac As 2d 2h", "Js Jh Jd Jc Js Jh Jd Jc Js", "Td Th Ts Tc JK", "4c 4d 4h", "6s 6h 6d 6c"],
        },
        "red_threes": {"0": "3h 3d", "1": "3h"},
    },
}

START: Mapping[str, Any] = {
    "players": 4,
    "scores": [0, 0],
    "dealer": 0,
    "position": {
        "turn": 1,
        "hands": {"0": "4s 5s 6s", "1": "Ks Kd Kh 4s 4h 9d 9c 2s Qs Jd 8h", "2": "7s", "3": "8s"},
        "stock": STOCK,
        "pile": "7h",
        "red_threes": {"1": "3h 3d 3h 3d"},
    },
}

CROWDED: Mapping[str, Any] = {
    "players": 4,
    "scores": [-185, 4985],
    "dealer": 1,
    "deal": 12,
    "position": {
        "turn": 2,
        "phase": "play",
        "hands": {"0": "4s", "1": "5s 5h", "2": "6s 6h 2d", "3": "Ts"},
        "stock": "",
        "pile": "2s 9h 3c",
        "frozen": True,
        "melds": {
            "0": [
                "As Ah Ad 2c 2s JK", "Ks Kh Kd Kc", "Qs Qh Qd Qc 2h", "Js Jh Jd", "Ts Th Td 2s 2d 2c",
                "9s 9h 9d 9c 9s 9h",
                "8s 8h JK", "7s 7h 7d 7c 7s 7h 7d", "6s 6h 6d", "5s 5h 5d JK", "4s 4h 4d 4c",
            ],
            "1": ["As Ah Ad Ac", "Ks Kh 2s", "Qs Qh Qd Qc Qs Qh 2d 2c 2h", "9s 9h 9d"],
        },
        "red_threes": {"0": "3h 3d 3h", "1": "3d"},
    },
}  # fmt: skip

PAIR: Mapping[str, Any] = {
    "players": 2,
    "scores": [3120, 2890],
    "dealer": 1,
    "deal": 4,
    "position": {
        "turn": 1,
        "phase": "play",
        "hands": {"0": "4s 5s 6s 7s", "1": "Ks Kd Kh 4s 4h 9d 9c 2s"},
        "stock": STOCK,
        "pile": "4c 5d Qh",
        "melds": {"0": ["Ks Kh Kd"], "1": []},
    },
}

THIRTY = (
    "As Ah Ad Ks Kh Kd Kc Qs Qd Js Jh Jc Ts Th Td Tc 9d 8s 8c 7s 7h 6c 5h 5d 4d 3s JK JK 2h 2c"
)  # fmt: skip


def hand_of(cards: str, **changes: Any) -> SeatView:
    """Return the view of a seat that holds these cards in the middle of a deal."""
    position = {**MIDDLE["position"], "hands": {"0": cards}, **changes.pop("position", {})}
    return seat_view(read_position({**MIDDLE, **changes, "position": position}), 0)


def board(case: Mapping[str, Any], **texts: Any) -> BoardPicture:
    """Return the board of a position with these texts."""
    return BoardPicture(view=public_view(read_position(case)), names=texts.pop("names", NAMES), **texts)


def boards() -> dict[str, BoardPicture]:
    """Return boards by name."""
    told = {
        "headline": "North to play",
        "advice": "Draw, or take the pile",
    }
    long = ("Wolfeschlegelsteinhausenbergerdorff", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "Жёлтый ёж", "Ἀθηνᾶ")
    return {
        "board_4": board(MIDDLE, **told),
        "board_start": board(START, headline="East to play", advice="Draw, or take the pile with a pair of sevens"),
        "board_crowded": board(
            CROWDED,
            names=long,
            headline=f"{long[0]} to play",
            advice="Lay melds, add to melds or discard a card to end your turn",
        ),
        "board_2": board(PAIR, names=NAMES[:2], headline="East to play", advice="Meld or discard"),
    }


def hands() -> dict[str, HandPicture]:
    """Return hands by name."""
    view = hand_of(FIFTEEN, position={"melds": {"0": [], "1": []}, "frozen": True}, scores=[1600, 0])
    fresh = hand_of(THIRTY, scores=[3120, 0], position={"melds": {"0": [], "1": []}, "frozen": False})
    sevens = tuple(card for card in view.hand if card >> 2 == 3)
    kings = tuple(card for card in view.hand if card >> 2 == 9)
    tens = tuple(card for card in fresh.hand if card >> 2 == 6)[1:]
    many = f"{THIRTY} As Ah Ad Ac Ks Qh Jd Ts 9s 8h 7d 6s 5c 4s 3c 2s"
    return {
        "hand_1": HandPicture(view=hand_of("JK")),
        "hand_7": HandPicture(view=hand_of("As Kd Qh Jc Td 9s 2h")),
        "hand_11": HandPicture(view=hand_of("4s 4h 5d 6c 8h 9s Td Jh Qc Qd 3c")),
        "hand_15": HandPicture(view=replace(view, fresh=(JOKER_CARD,)), selected=sevens),
        "hand_staged": HandPicture(view=view, selected=sevens[:1], staged=(kings,), staged_points=30),
        "hand_30": HandPicture(view=fresh, selected=tens),
        "hand_46": HandPicture(view=hand_of(many)),
        "hand_foot": with_waiting_cards(HandPicture(view=view, order=HandOrder.VALUE), foot=11, talon=3),
        "hand_drawn": HandPicture(
            view=replace(view, fresh=(JOKER_CARD,)), order=HandOrder.DRAWN, drawn=(*reversed(view.hand[3:]), JOKER_CARD)
        ),
    }


def hand_below_board(
    picture: BoardPicture, cards: str = "", *, seat: int = 0, fresh: str = "", **texts: Any
) -> HandPicture:
    """Return the hand of a seat at the table of that board, with these cards in it."""
    view, held = picture.view, tuple(sorted(parse_cards(cards)))
    infos = tuple(replace(info, cards=len(held)) if info.seat == seat else info for info in view.seats)
    own = SeatView(
        table=replace(view, seats=infos), seat=seat, hand=held, fresh=parse_cards(fresh), hand_points=5 * len(held),
        legal=(), laid_points=texts.pop("laid_points", 0), can_take_back=False,
    )  # fmt: skip
    return HandPicture(view=own, names=picture.names, title=picture.names[seat], **texts)


def with_unopened_sides(picture: BoardPicture, *numbers: int) -> BoardPicture:
    """Return the board without the melds and red threes of the sides of these numbers."""
    sides = tuple(
        replace(side, melds=(), opened=False, red_threes=()) if side.side in numbers else side
        for side in picture.view.sides
    )
    return replace(picture, view=replace(picture.view, sides=sides))


def with_opening_demand(picture: BoardPicture, minimum: int, canasta: InitialCanasta) -> BoardPicture:
    """Return the board with that minimum and required canasta for every side."""
    sides = tuple(replace(side, minimum=minimum, canasta=canasta) for side in picture.view.sides)
    return replace(picture, view=replace(picture.view, sides=sides))


def with_pile(picture: BoardPicture, **changes: Any) -> BoardPicture:
    """Return the board with these changes of its pile."""
    return replace(picture, view=replace(picture.view, pile=replace(picture.view.pile, **changes)))


def board_of_four_alone(picture: BoardPicture) -> BoardPicture:
    """Return a board of four players without partners, each with a foot."""
    wide = with_seats(picture, ((0,), (1,), (2,), (3,)), clocks=())
    seats = tuple(replace(info, foot=11 * (info.seat % 2)) for info in wide.view.seats)
    return replace(wide, view=replace(wide.view, seats=seats))


TWELVE = "As Ah Ks Kd Kc Th 9d 7s 7h 7c 4d 2c"
FIFTEEN = "As Ah Ks Kd Kc Th Tc 9d 7s 7h 7c 4d 3s JK 2c"


def strips() -> dict[str, HandPicture]:
    """Return hands with the strip of the table above them, by name, in every state of a strip."""
    boards = boards_of_many_seats()
    table = replace(boards["board_clocks"], names=("Anna", "Computer 1", "Ben", "Computer 2"))
    new, clear = with_unopened_sides(table, 0), with_pile(table, frozen=False, freezer=None, cards=3)
    kings, nines = parse_cards("Ks Kd Kc"), parse_cards("9s 9h")
    queens = parse_cards("Qs Qh Qd")
    runs = replace(boards["board_runs"], names=("Al", "Wilhelmina the Second", "Bo", "Maximilian"))
    two = board(PAIR, names=("Anna", "Bob"))
    nobody = with_pile(with_unopened_sides(table, 0, 1), cards=0, top=None, frozen=False, freezer=None)
    return {
        "strip_unopened": hand_below_board(new, TWELVE, fresh="Kc"),
        "strip_staged": hand_below_board(new, TWELVE, fresh="Kc", staged=(kings,), staged_points=30),
        "strip_canasta": hand_below_board(
            with_opening_demand(new, 200, "canasta"), TWELVE, staged=(kings,), staged_points=100
        ),
        "strip_natural_canasta": hand_below_board(with_opening_demand(new, 0, "natural_canasta"), TWELVE),
        "strip_opened": hand_below_board(clear, "Qs Qh Qd 9s 9h 4d", staged=(queens, nines), staged_points=50),
        "strip_15": hand_below_board(table, FIFTEEN, fresh="JK", selected=parse_cards("2c")),
        "strip_start": hand_below_board(nobody, "As Ah Ks Kd Kc Th 9d 7s 7h 7c 4d"),
        "strip_aside": hand_below_board(
            with_pile(new, top=None, aside=True, frozen=False, freezer=None), FIFTEEN, laid_points=30
        ),
        "strip_second": hand_below_board(table, FIFTEEN, seat=1),
        "strip_30": hand_below_board(table, THIRTY),
        "strip_runs": hand_below_board(runs, FIFTEEN),
        "strip_feet": hand_below_board(board_with_feet(), FIFTEEN),
        "strip_pair": hand_below_board(two, "Ks Kd Kh 4s 4h 9d 9c 2s", seat=1),
        "strip_talon": with_waiting_cards(hand_below_board(clear, FIFTEEN), talon=3),
        "strip_alone": hand_below_board(boards["board_3_alone"], FIFTEEN, seat=1),
        "strip_6": hand_below_board(boards["board_6"], FIFTEEN, seat=4),
        "strip_6_in_pairs": hand_below_board(boards["board_6_in_pairs"], FIFTEEN, seat=2),
        "strip_6_alone": hand_below_board(boards["board_6_alone"], FIFTEEN, seat=5),
        "strip_4_alone": with_waiting_cards(
            hand_below_board(board_of_four_alone(boards["board_clocks"]), FIFTEEN), foot=11
        ),
        "strip_resting": hand_below_board(boards["board_5"], FIFTEEN, seat=3),
        "strip_penalties": hand_below_board(boards["board_penalties"], FIFTEEN),
    }


def deal_result(deal: int, first: ScoreLines, second: ScoreLines, scores: tuple[int, ...]) -> DealEnded:
    """Return a deal that ended because the stock was out."""
    return DealEnded(deal, DealEnd.STOCK, None, concealed=False, lines=(first, second), scores=scores)


def with_waiting_cards(picture: HandPicture, *, foot: int = 0, talon: int = 0) -> HandPicture:
    """Return the picture with a foot and bonus cards waiting for the viewer's seat."""
    view, infos = picture.view, picture.view.table.seats
    seats = tuple(replace(info, foot=foot, talon=talon) if info.seat == view.seat else info for info in infos)
    return replace(picture, view=replace(view, table=replace(view.table, seats=seats)))


def with_seats(
    picture: BoardPicture, teams: tuple[tuple[int, ...], ...], *, resting: int = 0, **changes: Any
) -> BoardPicture:
    """Return the board with other seats: each tuple is a side that shares its melds.

    There are `resting` further seats.
    """
    view = picture.view
    seats = sum(len(side) for side in teams)
    sides = tuple(
        replace(
            view.sides[number % 2], side=number, seats=team, score=(1245, 2180, 640, 1500, -85, 3005)[number],
            melds=view.sides[number % 2].melds[: 5 - number // 2],
        )
        for number, team in enumerate(teams)
    )  # fmt: skip
    side_of = {seat: number for number, team in enumerate(teams) for seat in team}
    held = tuple(SeatInfo(seat, side_of[seat], (15, 9, 14, 12, 11, 13)[seat]) for seat in range(seats))
    rest = tuple(SeatInfo(seat, seat % len(teams), 0, resting=True) for seat in range(seats, seats + resting))
    view = replace(view, sides=sides, seats=held + rest)
    names = ("North", "East", "South", "West", "Wilhelmina", "Maximilian", "Seventh")[: seats + resting]
    return replace(picture, view=view, names=names, **changes)


CLOCKS = ("4:32", "7:05", "5:48", "6:17", "12:30", "9:10")


def boards_of_many_seats() -> dict[str, BoardPicture]:
    """Return boards of five or six seats or of three or more sides, by name.

    Some have clocks, resting players, runs or wild canastas.
    """
    told = {
        "headline": "North to play",
        "advice": "Draw, or take the pile",
    }
    four = board(MIDDLE, rules_name="Classic", clocks=CLOCKS[:4], **told)
    runs = (
        (
            make_meld(FIRST_RUN + HEARTS, "4h 5h 6h 7h 8h 9h Th"),
            make_meld(FIRST_RUN + CLUBS, "9c Tc Jc Qc"),
            make_meld(JOKER, "2s 2s 2h 2d 2c JK JK"),
            make_meld(JOKER, "2s 2d 2c JK"),
            make_meld(KING, "Ks Kh Kh Kd Kc 2d JK"),
            make_meld(TWO, "2s 2h 2c 2c JK"),
        ),
        (
            make_meld(ACE, "As As Ah Ah Ad Ad Ac Ac"),
            make_meld(ACE, "As Ah Ac"),
            make_meld(FIRST_RUN + SPADES, "5s 6s 7s"),
            make_meld(BLACK_THREE, "3s 3s 3c 3c"),
        ),
    )
    return {
        "board_clocks": four,
        "board_5": with_seats(four, ((0, 2), (1, 3, 4)), resting=1, clocks=()),
        "board_6": with_seats(four, ((0, 2, 4), (1, 3, 5)), clocks=CLOCKS),
        "board_6_in_pairs": with_seats(four, ((0, 3), (1, 4), (2, 5)), clocks=CLOCKS, rules_name="Samba"),
        "board_3_alone": with_seats(four, ((0,), (1,), (2,)), clocks=()),
        "board_6_alone": with_seats(four, ((0,), (1,), (2,), (3,), (4,), (5,)), clocks=CLOCKS),
        "board_runs": with_melds(with_hidden_cards(replace(four, rules_name="Bolivia"), 3), runs),
        "board_feet": board_with_feet(),
        "board_penalties": with_penalties(four),
        "board_canasta": with_opening_demand(with_unopened_sides(four, 0, 1), 200, "canasta"),
    }


def make_meld(kind: int, cards: str) -> MeldView:
    """Return a meld on the table; seven cards are a canasta."""
    laid = parse_cards(cards)
    wilds = sum(card >> 2 in (TWO, JOKER) and card >> 2 != kind for card in laid)
    canasta: Any = None
    if len(laid) >= 7:
        canasta = "run" if kind >= FIRST_RUN else "wild" if kind == JOKER else "mixed" if wilds else "natural"
    return MeldView(kind, tuple(sorted(laid)), len(laid) - wilds, wilds, canasta)


def with_melds(picture: BoardPicture, melds: Sequence[tuple[MeldView, ...]]) -> BoardPicture:
    """Return the board with these melds of each side."""
    sides = tuple(replace(side, melds=laid) for side, laid in zip(picture.view.sides, melds, strict=True))
    return replace(picture, view=replace(picture.view, sides=sides))


def with_hidden_cards(picture: BoardPicture, cards: int) -> BoardPicture:
    """Return the board with that many cards of the pile face down."""
    view = picture.view
    return replace(picture, view=replace(view, pile=replace(view.pile, hidden=cards)))


def with_penalties(picture: BoardPicture) -> BoardPicture:
    """Return the board with penalty cards of one seat and the penalties of its side."""
    seats = tuple(
        replace(info, exposed=parse_cards("7s Kh")) if info.seat == 1 else info for info in picture.view.seats
    )
    sides = tuple(replace(side, penalties=100 * side.side) for side in picture.view.sides)
    return replace(picture, view=replace(picture.view, seats=seats, sides=sides))


def board_with_feet() -> BoardPicture:
    """Return a Hand and Foot board late in a deal of six, with many books and some feet left."""
    six = with_seats(board(MIDDLE, headline="North to play", advice="Draw 2, or take the pile"), ((0, 2, 4), (1, 3, 5)))
    laid = []
    for side in range(2):
        melds = []
        for number in range(30 - 13 * side):
            rank = "A4K5Q6J7T89"[number % 11]
            book = number < 18 - 8 * side
            cards = [rank + "shdc"[place % 4] for place in range(7 if book else 3 + number % 4)]
            wild = ("2h", "JK")[: number % 3]
            cards[len(cards) - len(wild) :] = wild
            melds.append(make_meld("456789TJQKA".index(rank), " ".join(cards)))
        laid.append(tuple(melds))
    threes = parse_cards("3h 3d 3h 3s 3c 3s 3c")
    sides = tuple(replace(side, red_threes=threes[: 7 - 4 * side.side]) for side in six.view.sides)
    seats = tuple(replace(info, foot=(0, 11, 11, 0, 11, 0)[info.seat]) for info in six.view.seats)
    six = replace(six, view=replace(six.view, sides=sides, seats=seats), rules_name="Hand and Foot")
    return with_melds(six, laid)


def deal_results(count: int = 3) -> tuple[DealEnded, ...]:
    """Return the results of that many deals of a game."""
    lines = (
        (ScoreLines(300, 0, 0, 100, 0, 150, -135), ScoreLines(500, 0, 0, 0, 100, 160, 0)),
        (ScoreLines(500, 0, 0, 0, 100, 245, -15), ScoreLines(0, 0, 0, -200, 0, 140, -60)),
        (ScoreLines(500, 600, 0, 200, 0, 485, -140), ScoreLines(1000, 300, 0, 100, 100, 540, 0)),
    )
    totals, done = (0, 0), []
    for number in range(count):
        first, second = lines[number % 3]
        totals = (totals[0] + first.total, totals[1] + second.total)
        done.append(deal_result(number + 1, first, second, totals))
    return tuple(done)


def sheet_of_six_alone(count: int = 4) -> ScorePicture:
    """Return the sheet of a game of six players without partners."""
    done: list[DealEnded] = []
    totals: tuple[int, ...] = (0,) * 6
    for number in range(count):
        pairs = deal_results(3)
        lines = tuple(pairs[(number + side) % 3].lines[side % 2] for side in range(6))
        totals = tuple(total + line.total for total, line in zip(totals, lines, strict=True))
        done.append(DealEnded(number + 1, DealEnd.STOCK, None, concealed=False, lines=lines, scores=totals))
    names = ("North", "East", "South", "West", "Wilhelmina", "Maximilian")
    return ScorePicture(results=tuple(done), side_names=names, target=5000, rules_name="Classic")


def scores() -> dict[str, ScorePicture]:
    """Return score sheets by name."""
    sides = ("North & South", "East & West")
    return {
        "score_3": ScorePicture(results=deal_results(), side_names=sides, target=5000, rules_name="Classic"),
        "score_6": sheet_of_six_alone(),
        "score_game": ScorePicture(results=deal_results(9), side_names=sides, target=10_000, sheet=SheetKind.GAME),
        "score_final": ScorePicture(
            results=deal_results(12), side_names=sides, target=5000, winner=0, banner="North & South win the game"
        ),
    }


def all_samples() -> dict[str, Picture]:
    """Return every sample by name."""
    return {
        **boards(),
        **boards_of_many_seats(),
        **hands(),
        **strips(),
        **scores(),
        **sheet_pictures(),
        "replay": replay(),
    }


def replay() -> ReplayPicture:
    """Return a replay of one turn with every hand open, one of them long."""
    state, table = read_position(MIDDLE), board(MIDDLE)
    hands = [OpenHand(name, state.hands[seat]) for seat, name in enumerate(NAMES)]
    hands[0] = OpenHand("North", state.hands[0], parse_cards("9d"))
    hands[2] = OpenHand("South", tuple(sorted((*state.hands[2], *state.hands[1]))))
    return ReplayPicture(board=replace(table, headline="Turn 7 of 26: North", advice=""), hands=tuple(hands))


def with_theme(picture: Picture, theme: ThemeName) -> Picture:
    """Return the same picture in another theme."""
    if isinstance(picture, ReplayPicture):
        return replace(picture, board=replace(picture.board, theme=theme))
    return replace(picture, theme=theme)


def with_words(picture: Picture, words: PictureWords) -> Picture:
    """Return the same picture in another language."""
    if isinstance(picture, ReplayPicture):
        return replace(picture, board=replace(picture.board, words=words))
    return replace(picture, words=words)
