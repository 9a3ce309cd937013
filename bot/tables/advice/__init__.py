"""Advice: what a seat is offered beside its legal steps, from what the seat may know."""

from bot.tables.advice.advise import offers_of
from bot.tables.advice.offered import NOTHING, Holder, Laying, Offers, Opening, TakeWay, WayOut, Word

__all__ = ["NOTHING", "Holder", "Laying", "Offers", "Opening", "TakeWay", "WayOut", "Word", "offers_of"]
