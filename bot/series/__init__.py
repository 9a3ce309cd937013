"""Series: nights that are made by themselves week after week, with seasons, finals and standings (`docs/series.md`).

A series is one value with pure steps, like a tournament; its nights are ordinary tournaments.
"""
