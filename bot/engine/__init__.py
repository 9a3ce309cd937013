"""The rules of the game: pure functions, built on the standard library alone.

Nine packages. Each imports only packages before it; a contract in `pyproject.toml` enforces that:

- `cards`: the pack, the places of melds, hands as numbers (`packed_counts`), notation, shuffling.
- `rules`: the record of parameters (`rule_set`), the description of each (`parameters`), reading them (`rule_options`),
  the rule sets (`sets`) and themes (`themes`), all as data.
- `moves`: actions of seats (`actions`), events (`events`), refusals with their reasons (`refusals`), and the phases.
- `melds`: which cards make a meld (`meld_shapes`), the melds of a side (`side_melds`), canastas, and points.
- `table`: the state, how an event changes it (`applying_events`), questions shared by many rules (`state_queries`), the
  themes in force (`themes_in_force`), and the form of each viewer's view (`views`).
- `reach`: searches for what a hand can still do: go out (`going_out_search`), or reach the points of an initial meld
  (`opening_points`); with shortcuts that give the same answers faster.
- `law`: one file per chapter of the rules. Each begins with the paragraphs that it decides and the parameters that it
  reads.
- `play`: `decide` (state and action to events, or a refusal), the functions that carry an action out (`act_events`,
  `step_events`), the list of `legal_steps`, `drawing`, `building_views`, `invariants`.
- `positions`: reading and writing of positions and cases.

To change a rule: find its paragraph in `docs/rules/paragraphs.md`, which names the files that decide it and the
parameters and refusals of each, and follow `docs/changing-a-rule.md`. To understand a turn, read `table.state`,
`moves.actions`, `moves.events`, then `play.decide` and `table.applying_events`.
"""
