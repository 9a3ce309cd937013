"""The pages of the wizard: Format, Game, Time, People, Check; each a private message with all it takes to change it.

A plan in one sentence, as the last page of the wizard tells it (`docs/tournaments.md` 1.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import PRESETS
from bot.i18n import Words
from bot.tables.seating.rules import Offer
from bot.tournaments.event.fitness import Fitness
from bot.tournaments.event.plan import BoardScoring, Duplicate, Plan, Seeding
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.by_kind import FORMATS
from cogs.shared.door.components import (
    GREEN,
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    container,
    page,
    rows,
    select,
    separator,
    text,
)
from cogs.shared.showing.family_menus import argument_of, families, menu_of
from cogs.shared.telling import rules_text, status_text
from cogs.tournament import wording
from cogs.tournament.announcement import headline
from cogs.tournament.links import control
from cogs.tournament.wizard.edits import PAGE_OF


def summary(words: Words, plan: Plan) -> str:
    """Format, rounds, how long each is and all together, and who plays."""
    return f"{_rounds(words, plan)}. {_entries(words, plan)}."


def _rounds(words: Words, plan: Plan) -> str:
    entries = max(2, plan.places // entry_persons(plan))
    rounds = FORMATS[plan.kind].usual_rounds(plan, entries)
    values = {
        "kind": words(f"tournament_kind.{plan.kind.value}"),
        "length": match_words(words, plan),
        "time": wording.span(words, plan.round_time),
    }
    if rounds is None:
        return words("wizard.sentence_open", **values)
    lasts = wording.roughly(words, rounds * (plan.round_time + plan.between))
    return words("wizard.sentence", **values, rounds=words("wizard.rounds", count=rounds), lasts=lasts)


def match_words(words: Words, plan: Plan) -> str:
    """How much is played in a round."""
    if plan.duplicate is not None:
        return words("tournament.boards", count=plan.duplicate.in_a_round)
    if plan.deals is None:
        return words("tournament.target", target=plan.rules.target)
    return words("tournament.deals", count=plan.deals)


def entry_persons(plan: Plan) -> int:
    """How many persons make one entry in the standings."""
    return plan.entry_size if plan.drawn else plan.persons_each


def _entries(words: Words, plan: Plan) -> str:
    size = entry_persons(plan)
    unit = "teams" if plan.for_teams else {1: "alone", 2: "pairs", 3: "trios"}.get(size, "teams")
    told = words(f"wizard_entries.{unit}", count=plan.places // size)
    return words("wizard.drawn", entries=told) if plan.drawn else told


PAGES: Final = ("format", "game", "time", "people", "check")

DEALS: Final = ("1", "2", "3", "4", "5", "6", "8", "10", "12", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What a page is drawn from: the draft, rules that can be chosen, what is wrong, and the organiser's time zone."""

    tournament: Tournament
    offers: Sequence[Offer]
    fitness: Fitness
    zone: str
    family: str = ""
    note: str = ""

    @property
    def plan(self) -> Plan:
        """What has been planned so far."""
        return self.tournament.plan


def panel_page(words: Words, panel: Panel, name: str) -> Page:
    """A page of the wizard with the ways to the others."""
    shown = name if name in PAGES else PAGES[0]
    title = words("wizard.title", name=wording.named(panel.tournament), page=words(f"wizard_page.{shown}"))
    top = text("\n".join(filter(None, (title, words("panel.note", note=panel.note) if panel.note else ""))))
    parts = [top, *_PARTS[shown](words, panel), separator(), *rows(_ways(words, panel, shown))]
    return page([container(*parts, edge=GREEN)])


def _ways(words: Words, panel: Panel, shown: str) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    number, version = panel.tournament.id, panel.tournament.version
    return [
        button(
            control(number, "t_page", one, version=version),
            words(f"wizard_page.{one}"),
            style=PRIMARY if one == shown else SECONDARY,
            enabled=one != shown,
        )
        for one in PAGES
    ]


def _toggle(words: Words, panel: Panel, field: str, *, on: bool) -> discord.ui.Button[discord.ui.LayoutView]:
    state = words("wizard.on" if on else "wizard.off")
    link = control(panel.tournament.id, "t_set", field, version=panel.tournament.version)
    return button(
        link,
        words("wizard.toggle", what=words(f"wizard_field.{field}"), state=state),
        style=SUCCESS if on else SECONDARY,
    )


def _typed(words: Words, panel: Panel, field: str, value: str) -> discord.ui.Button[discord.ui.LayoutView]:
    link = control(panel.tournament.id, "t_ask", field, version=panel.tournament.version)
    return button(link, words("wizard.toggle", what=words(f"wizard_field.{field}"), state=value))


def _menu(words: Words, panel: Panel, field: str, options: Sequence[Option]) -> Part | None:
    link = control(panel.tournament.id, "t_pick", field, version=panel.tournament.version)
    return select(link, words(f"wizard_field.{field}"), options)


def _format(words: Words, panel: Panel) -> list[Part | None]:
    plan = panel.plan
    kinds = [
        Option(
            one.value, words(f"tournament_kind.{one.value}"), words(f"tournament_about.{one.value}"), one is plan.kind
        )
        for one in FORMATS
    ]
    options = [one for one in plan.traits.options if PAGE_OF[one] == "format"]
    menus = [_scorings(words, panel, plan.duplicate)] if "scoring" in options and plan.duplicate is not None else []
    buttons_ = [_option(words, panel, one) for one in options if one != "scoring"]
    return [_menu(words, panel, "kind", kinds), *menus, *rows(buttons_)]


def _option(words: Words, panel: Panel, field: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """The button of a field that only some formats have."""
    plan = panel.plan
    switched = {
        "cycles": plan.cycles == 2,
        "third": plan.third_place,
        "second": plan.second_chance,
        "late": plan.late_entry,
    }
    if field in switched:
        return _toggle(words, panel, field, on=switched[field])
    return _typed(words, panel, field, filled(panel, field, start="") or words("wizard.usual"))


def _scorings(words: Words, panel: Panel, boards: Duplicate) -> Part | None:
    options = [
        Option(one.value, words(f"board_scoring.{one.value}"), None, one is boards.scoring) for one in BoardScoring
    ]
    return _menu(words, panel, "scoring", options)


def _game(words: Words, panel: Panel) -> list[Part | None]:
    plan = panel.plan
    those = families(words, panel.offers)
    playing = next((one for one in panel.offers if _is(one, plan)), None)
    within = next((one for one in those if playing in one.offers), those[0])
    shown = next((one for one in those if one.name == panel.family), within)
    link = control(panel.tournament.id, "t_family", version=panel.tournament.version)
    rules = [Option(argument_of(one), rules_text.label(words, one)[:100], None, one is playing) for one in shown.offers]
    counts = () if playing is None else playing.players
    players = [Option(str(one), words("offer.players", players=one), None, one == plan.rules.players) for one in counts]
    chosen = "target" if plan.deals is None else str(plan.deals)
    deals = [Option(one, _deals(words, plan, one), None, one == chosen) for one in dict.fromkeys((*DEALS, chosen))]
    told = [words("wizard.game", rules=wording.rules(words, plan), players=plan.rules.players)]
    if not any(one.saved for one in panel.offers):
        told.append(words("wizard.own_rules"))
    return [
        text("\n".join(told)),
        select(link, words("picker.families"), menu_of(those, shown)),
        _menu(words, panel, "rules", rules),
        _menu(words, panel, "players", players),
        _menu(words, panel, "deals", deals) if plan.duplicate is None else None,
        *rows([_typed(words, panel, "themes", wording.themes(words, plan) or words("wizard.none"))]),
    ]


def _is(offer: Offer, plan: Plan) -> bool:
    return offer.name == plan.saved_as if plan.saved_as else not offer.saved and offer.name == plan.rules.name


def _deals(words: Words, plan: Plan, value: str) -> str:
    if value == "target":
        return words("tournament.target", target=plan.rules.target)
    return words("tournament.deals", count=int(value))


def _time(words: Words, panel: Panel) -> list[Part | None]:
    plan = panel.plan
    clock = plan.settings.clock
    clocks = [
        Option(one, status_text.option_label(words, terms)[:100], None, terms == clock)
        for one, terms in PRESETS.items()
    ]
    check_in = f"{wording.span(words, plan.check_in_from)} – {wording.span(words, plan.check_in_until)}"
    typed = [
        _typed(words, panel, "start", words("wizard.set_start")),
        _typed(words, panel, "length", wording.span(words, plan.round_time)),
        _typed(words, panel, "between", wording.span(words, plan.between)),
        _typed(words, panel, "checkin", check_in),
        _toggle(words, panel, "live", on=plan.live),
    ]
    told = words("wizard.starts", when=wording.at(plan.starts_at), zone=panel.zone or "UTC")
    return [text(told), _menu(words, panel, "clock", clocks), *rows(typed)]


def _people(words: Words, panel: Panel) -> list[Part | None]:
    plan = panel.plan
    seedings = [Option(one.value, words(f"seeding.{one.value}"), None, one is plan.seeding) for one in Seeding]
    pairs = plan.entry_size > 1 and not plan.traits.partners_change
    buttons_ = [
        _typed(words, panel, "places", str(plan.places)),
        *([_toggle(words, panel, "drawn", on=plan.drawn)] if pairs else []),
        *([_typed(words, panel, "answer", wording.span(words, plan.partner_answer))] if plan.persons_each > 1 else []),
        _toggle(words, panel, "computers", on=plan.computers),
        _toggle(words, panel, "rated", on=plan.rated),
        *(_option(words, panel, one) for one in plan.traits.options if PAGE_OF[one] == "people"),
    ]
    told = words("wizard.people", people=wording.people(words, plan))
    return [text(told), _menu(words, panel, "seeding", seedings), *rows(buttons_)]


def _check(words: Words, panel: Panel) -> list[Part | None]:
    plan, fitness = panel.plan, panel.fitness
    lines = [headline(words, panel.tournament), summary(words, plan)]
    lines += [words("wizard.problem", problem=words(f"unfit.{one.value}")) for one in fitness.unfit]
    lines += [words("wizard.warning", warning=words(f"plan_warning.{one.value}")) for one in fitness.warned]
    if plan.duplicate is not None:
        lines.append(words("tournament.duplicate", minimums=", ".join(str(one) for one in plan.duplicate.minimums)))
    publish = button(
        control(panel.tournament.id, "t_publish", version=panel.tournament.version),
        words("wizard.publish"),
        style=SUCCESS,
        enabled=not fitness.unfit,
    )
    drop = button(control(panel.tournament.id, "t_drop", version=panel.tournament.version), words("wizard.drop"))
    named = _typed(words, panel, "name", wording.plain(plan.name, longest=30))
    return [text("\n".join(lines)), *rows([publish, named, drop])]


_PARTS: Final[Mapping[str, Callable[[Words, Panel], list[Part | None]]]] = {
    "format": _format,
    "game": _game,
    "time": _time,
    "people": _people,
    "check": _check,
}


def filled(panel: Panel, field: str, *, start: str) -> str:
    """What a form is filled with at first, as its organiser would type it."""
    plan = panel.plan
    unit, name = (MINUTE, "m") if plan.live else (HOUR, "h")
    values = {
        "rounds": "" if plan.rounds is None else str(plan.rounds),
        "boards": "" if plan.duplicate is None else str(plan.duplicate.boards),
        "each": "" if plan.duplicate is None else str(plan.duplicate.in_a_round),
        "minimums": "" if plan.duplicate is None else ", ".join(str(one) for one in plan.duplicate.minimums),
        "length": f"{plan.round_time // unit}{name}",
        "between": f"{plan.between // unit}{name}",
        "checkin": f"{plan.check_in_from // unit}{name} - {plan.check_in_until // unit}{name}",
        "places": str(plan.places),
        "answer": f"{plan.partner_answer // HOUR}h",
        "name": plan.name,
        "start": start,
        "themes": "; ".join(", ".join(one) for one in plan.themes_by_round),
    }
    return values.get(field, "")
