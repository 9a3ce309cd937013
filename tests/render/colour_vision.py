"""Distances of colours to the eye, also with colour blindness.

Colour blindness is simulated as by Machado, Oliveira and Fernandes (2009) at severity 1.0, on linear light; distances
are CIEDE2000 (CIE 142-2001); contrast is that of WCAG 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Final

from render.colour_themes import Colour

Triple = tuple[float, float, float]

SIGHTS: Final[dict[str, tuple[Triple, Triple, Triple]]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

TO_XYZ: Final[tuple[Triple, Triple, Triple]] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)


def linear_light(shade: Colour) -> Triple:
    red, green, blue = (
        value / 255 / 12.92 if value / 255 <= 0.04045 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in shade
    )
    return red, green, blue


def multiply_matrix(matrix: Sequence[Triple], vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def perceived_light(shade: Colour, sight: str) -> Triple:
    """Return the colour as a person with that kind of sight perceives it, as linear light."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in multiply_matrix(SIGHTS[sight], linear_light(shade)))
    return red, green, blue


def lab_colour(light: Triple) -> Triple:
    def lab_curve(value: float) -> float:
        return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116

    x, y, z = (lab_curve(value / white) for value, white in zip(multiply_matrix(TO_XYZ, light), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first: Triple, second: Triple) -> float:
    """Return the distance of two colours in CIELAB."""
    l1, a1, b1 = first
    l2, a2, b2 = second
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = 0.0
    if c1 * c2:
        turn = h2 - h1
        turn += 360 if turn < -180 else -360 if turn > 180 else 0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2
    if c1 * c2:
        if abs(h1 - h2) > 180:
            hue += 360 if hue < 360 else -360
        hue /= 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25.0**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    sl = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rotation * (dc / sc) * (dh / sh))


def perceived_distance(first: Colour, second: Colour, sight: str) -> float:
    """Return the distance of two colours to a person with that sight; 2.3 is just noticeable."""
    return ciede2000(lab_colour(perceived_light(first, sight)), lab_colour(perceived_light(second, sight)))


def nearest_distance(shades: Sequence[Colour], sight: str) -> float:
    """Return the distance of the two most similar of these colours to a person with that sight."""
    return min(perceived_distance(first, second, sight) for first, second in combinations(shades, 2))


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast of two colours, from 1 (the same) to 21 (black on white)."""
    high, low = sorted((multiply_matrix(TO_XYZ, linear_light(shade))[1] for shade in (first, second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
