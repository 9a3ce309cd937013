"""The rules of the game: pure, and built on the standard library alone.

Nine rooms, each of which knows only those before it (a contract in `pyproject.toml` holds that):

- `cards`: the pack, kinds and places of cards, hands as numbers (`counts`), notation, shuffling.
- `rules`: the record of parameters (`rule_set`), what is known of each (`parameters`), how they are read (`options`),
  the rule sets (`sets`) and themes (`themes`), all of it data.
- `moves`: what seats can do (`actions`), what happens (`events`), why not (`refusals`), and the phases.
- `melds`: which cards make a meld (`shapes`), what a side has laid (`spread`), canastas, and what they count.
- `table`: the state, how an event changes it (`evolve`), questions that many rules ask (`queries`), themes in `force`,
  and the form of what each viewer may see (`views`).
- `reach`: what a hand can still come to: going out (`finishing`), the points of an initial meld (`reaching`); with
  `shortcuts` that answer what the search would, sooner.
- `law`: a file a chapter. Each begins with the paragraphs that it decides and the parameters that it reads.
- `play`: `decide` (state and action to events, or a refusal), the `steps` that carry it out, the list of all that is
  `legal`, drawing, `viewing` that makes the views, `invariants`.
- `record`: positions and cases, read and written.

To change a rule: find its paragraph in `docs/rules/paragraphs.md`, which names the files that decide it and what each
of them reads and refuses, and follow `docs/changing-a-rule.md`. To understand a turn: `table.state`, `moves.actions`,
`moves.events`, then `play.decide` and `table.evolve`.
"""
