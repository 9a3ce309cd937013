"""Matchings of least cost where costs are compared number by number, the weightiest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def least_matching(costs: Mapping[tuple[int, int], Sequence[int]]) -> list[tuple[int, int]]:
    """Pairs that cover every vertex once and whose summed costs are least, compared like words in a dictionary.

    `costs` holds an entry for every two vertices that may be paired; there is a matching that covers all. Cost numbers
    are whole. Pairs come with their lower vertex first and in its order; among equals, what is returned depends on the
    costs and their order alone.
    """
    if not costs:
        return []
    import networkx as nx  # noqa: PLC0415 - it takes 20 MB, which only a process that pairs should pay for

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((*edge, weight) for edge, weight in _reduced(_weights(costs)).items())
    found = nx.min_weight_matching(graph)
    pairs = sorted((min(pair), max(pair)) for pair in found)
    if 2 * len(pairs) != graph.number_of_nodes():
        raise ValueError("no matching covers all")
    return pairs


def _weights(costs: Mapping[tuple[int, int], Sequence[int]]) -> dict[tuple[int, int], int]:
    """One whole number for each cost, so that sums over as many edges as a matching has compare as the costs do.

    Each place counts from its lowest value; every matching that covers all has equally many edges, so that this shifts
    their sums alike.
    """
    edges = len({vertex for edge in costs for vertex in edge}) // 2
    columns = list(zip(*costs.values(), strict=True))
    lowest = [min(column) for column in columns]
    bases = [edges * (max(column) - low) + 1 for column, low in zip(columns, lowest, strict=True)]
    weights: dict[tuple[int, int], int] = {}
    for edge, cost in costs.items():
        weight = 0
        for number, low, base in zip(cost, lowest, bases, strict=True):
            weight = weight * base + number - low
        weights[edge] = weight
    return weights


def _reduced(weights: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Twice the weights, less what the cheapest edge at either end weighs.

    All matchings that cover every vertex lose equally much, so that the least stays the least; the search, which has
    a cheap edge everywhere to begin with, takes about half the time (`canasta-bot bench pairing`).
    """
    cheapest: dict[int, int] = {}
    for edge, weight in weights.items():
        for vertex in edge:
            cheapest[vertex] = min(weight, cheapest.get(vertex, weight))
    return {(one, other): 2 * weight - cheapest[one] - cheapest[other] for (one, other), weight in weights.items()}
