"""Find matchings of least cost; costs are compared number by number, the most important first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cheapest_perfect_matching(costs: Mapping[tuple[int, int], Sequence[int]]) -> list[tuple[int, int]]:
    """Return the pairs of least total cost that cover every vertex once.

    `costs` has an entry for every two vertices that may be paired: a tuple of whole numbers, compared as tuples are.
    Pairs are sorted, the lower vertex first; the result depends only on the costs and their order. Raises `ValueError`
    if no matching covers all vertices.
    """
    if not costs:
        return []
    import networkx as nx  # noqa: PLC0415 - takes 20 MB, needed only by a process that pairs

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((*edge, weight) for edge, weight in _reduce_weights(_integer_weights(costs)).items())
    found = nx.min_weight_matching(graph)
    pairs = sorted((min(pair), max(pair)) for pair in found)
    if 2 * len(pairs) != graph.number_of_nodes():
        raise ValueError("no matching covers all")
    return pairs


def _integer_weights(costs: Mapping[tuple[int, int], Sequence[int]]) -> dict[tuple[int, int], int]:
    """Return one integer per cost, so that sums over a whole matching compare as the costs do.

    Each column is reduced by its lowest value; all complete matchings have equally many edges, so this reduces their
    sums equally.
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


def _reduce_weights(weights: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return twice the weights, minus the cheapest edge weight at either end.

    This lowers all complete matchings equally, so the least stays the least; the search then has a cheap edge
    everywhere to start from, and takes about half the time (`canasta-bot bench pairing`).
    """
    cheapest: dict[int, int] = {}
    for edge, weight in weights.items():
        for vertex in edge:
            cheapest[vertex] = min(weight, cheapest.get(vertex, weight))
    return {(one, other): 2 * weight - cheapest[one] - cheapest[other] for (one, other), weight in weights.items()}
