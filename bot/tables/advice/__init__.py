"""Advice: moves offered to a seat besides its legal steps, computed only from what the seat may know."""

from bot.tables.advice.offers import offers_to_seat
from bot.tables.state.offers import NOTHING, LayOffer, Offers, Opening, Partner, TakeWay, WayToGoOut, Word

__all__ = ["NOTHING", "LayOffer", "Offers", "Opening", "Partner", "TakeWay", "WayToGoOut", "Word", "offers_to_seat"]
