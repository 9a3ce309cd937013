"""Series: recurring tournaments ("nights") with seasons, finals and standings (`docs/series.md`).

A series is one value with pure steps, like a tournament; its nights are ordinary tournaments.
"""
