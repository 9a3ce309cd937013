"""From what is to be shown to placed things: the one entrance to the layouts."""

from __future__ import annotations

from typing import TypeAlias

from render.inputs import BoardPicture, HandPicture, ScorePicture
from render.items import Layout
from render.layout_board import board_layout
from render.layout_hand import hand_layout
from render.layout_score import score_layout
from render.typeset import Ruler

Picture: TypeAlias = BoardPicture | HandPicture | ScorePicture


def layout_of(picture: Picture, ruler: Ruler) -> Layout:
    """The picture as data; equal views and words give equal layouts."""
    if isinstance(picture, BoardPicture):
        return board_layout(picture, ruler)
    if isinstance(picture, HandPicture):
        return hand_layout(picture, ruler)
    return score_layout(picture, ruler)
