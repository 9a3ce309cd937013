"""The wizard's pages: format, game, time, people, and a check with the plan in one sentence.

The sentence is described in `docs/tournaments.md` 1.1. A private function with the name of a page returns its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import PRESETS
from bot.i18n import Words
from bot.tables.seating.lobby_rules import RulesOffer
from bot.tables.state.clocks import LEVELS
from bot.tournaments.boards.movement import Movement
from bot.tournaments.event.plan import BoardScoring, Duplicate, Plan, Seeding
from bot.tournaments.event.plan_check import PlanCheck
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import TRAITS
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.formats.duplicate import movement_values
from cogs.shared.discord_api.components import (
    GREEN,
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    button_rows,
    container,
    page,
    select,
    separator,
    text,
)
from cogs.shared.showing.family_menus import family_options, family_pages, offer_argument
from cogs.shared.telling import rules_text, status_text
from cogs.shared.telling.numbers import group_thousands
from cogs.tournament import wording
from cogs.tournament.announcement import repeat_button, tournament_headline
from cogs.tournament.control_ids import control
from cogs.tournament.wizard.plan_edits import PAGE_OF


def plan_summary(words: Words, plan: Plan) -> str:
    """Return a sentence with a plan's format, rounds, duration and number of entries."""
    return f"{_rounds_text(words, plan)}. {_entries_text(words, plan)}."


def _rounds_text(words: Words, plan: Plan) -> str:
    entries = max(2, plan.places // persons_per_entry(plan))
    rounds = FORMATS[plan.kind].default_rounds(plan, entries)
    values = {
        "kind": words(f"tournament_kind.{plan.kind.value}"),
        "length": match_length_text(words, plan),
        "time": wording.duration_text(words, plan.round_time),
    }
    if rounds is None:
        return words("wizard.sentence_open", **values)
    lasts = wording.rough_duration_text(words, rounds * (plan.round_time + plan.between))
    return words("wizard.sentence", **values, rounds=words("wizard.rounds", count=rounds), lasts=lasts)


def match_length_text(words: Words, plan: Plan) -> str:
    """Return text on how much is played in a round: deals, boards or a target score."""
    if plan.duplicate is not None:
        return words("tournament.boards", count=plan.duplicate.in_a_round)
    if plan.deals is None:
        return words("tournament.target", target=group_thousands(words, plan.rules.target))
    return words("tournament.deals", count=plan.deals)


def persons_per_entry(plan: Plan) -> int:
    """Return the number of people in one entry."""
    return plan.entry_size if plan.drawn else plan.persons_entering_together


def _entries_text(words: Words, plan: Plan) -> str:
    size = persons_per_entry(plan)
    unit = "teams" if plan.is_for_teams else {1: "alone", 2: "pairs", 3: "trios"}.get(size, "teams")
    message = words(f"wizard_entries.{unit}", count=plan.places // size)
    return words("wizard.drawn", entries=message) if plan.drawn else message


PAGES: Final = ("format", "game", "time", "people", "check")

DEALS: Final = ("1", "2", "3", "4", "5", "6", "8", "10", "12", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardPanel:
    """Everything that a page of the wizard shows: the draft, the available rules, problems, and the user's time zone.

    `private_threads` tells whether the bot may open any in the channel, `movement` how pairs of a duplicate move.
    """

    tournament: Tournament
    offers: Sequence[RulesOffer]
    fitness: PlanCheck
    zone: str
    family: str = ""
    note: str = ""
    private_threads: bool = True
    movement: Movement | None = None

    @property
    def plan(self) -> Plan:
        """Return the tournament's plan as the draft has it now."""
        return self.tournament.plan


def wizard_panel_page(words: Words, panel: WizardPanel, name: str) -> Page:
    """Return a page of the wizard, with buttons to the other pages."""
    shown = name if name in PAGES else PAGES[0]
    title = words("wizard.title", name=wording.tournament_name(panel.tournament), page=words(f"wizard_page.{shown}"))
    top = text("\n".join(filter(None, (title, words("panel.note", note=panel.note) if panel.note else ""))))
    parts = [top, *_PARTS[shown](words, panel), separator(), *button_rows(_page_buttons(words, panel, shown))]
    return page([container(*parts, edge=GREEN)])


def _page_buttons(words: Words, panel: WizardPanel, shown: str) -> list[discord.ui.Button[discord.ui.LayoutView]]:
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


def _toggle_button(
    words: Words, panel: WizardPanel, field: str, *, on: bool
) -> discord.ui.Button[discord.ui.LayoutView]:
    state = words("wizard.on" if on else "wizard.off")
    link = control(panel.tournament.id, "t_set", field, version=panel.tournament.version)
    return button(
        link,
        words("wizard.toggle", what=words(f"wizard_field.{field}"), state=state),
        style=SUCCESS if on else SECONDARY,
    )


def _form_button(words: Words, panel: WizardPanel, field: str, value: str) -> discord.ui.Button[discord.ui.LayoutView]:
    link = control(panel.tournament.id, "t_ask", field, version=panel.tournament.version)
    return button(link, words("wizard.toggle", what=words(f"wizard_field.{field}"), state=value))


def _field_menu(words: Words, panel: WizardPanel, field: str, options: Sequence[Option]) -> Part | None:
    link = control(panel.tournament.id, "t_pick", field, version=panel.tournament.version)
    return select(link, words(f"wizard_field.{field}"), options)


def _format_parts(words: Words, panel: WizardPanel) -> list[Part | None]:
    plan = panel.plan
    kinds = [
        Option(
            one.value, words(f"tournament_kind.{one.value}"), words(f"tournament_about.{one.value}"), one is plan.kind
        )
        for one in FORMATS
        if panel.private_threads or not TRAITS[one].sealed
    ]
    told = None if panel.private_threads else text(words("wizard.no_private_threads"))
    about = text(f"{words(f'tournament_about.{plan.kind.value}')}.\n{words('wizard.way')}")
    options = [one for one in plan.traits.options if PAGE_OF[one] == "format"]
    if plan.is_for_teams:  # team matches use a round robin or Swiss pairing, not a movement
        options.remove("winners")
    menus = [_scoring_menu(words, panel, plan.duplicate)] if "scoring" in options and plan.duplicate is not None else []
    buttons_ = [_format_button(words, panel, one) for one in options if one != "scoring"]
    return [about, _field_menu(words, panel, "kind", kinds), told, *menus, *button_rows(buttons_)]


def _format_button(words: Words, panel: WizardPanel, field: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button for a field that only some formats have."""
    plan = panel.plan
    switched = {
        "cycles": plan.cycles == 2,
        "third": plan.third_place,
        "second": plan.second_chance,
        "late": plan.late_entry,
        "winners": plan.duplicate is not None and plan.duplicate.two_winners,
    }
    if field in switched:
        return _toggle_button(words, panel, field, on=switched[field])
    return _form_button(words, panel, field, initial_form_text(panel, field, start="") or words("wizard.usual"))


def _option_text(words: Words, field: str, value: str) -> str:
    """Return a menu option's text, preceded by the name of its setting.

    A closed menu shows only the chosen option.
    """
    return words("wizard.toggle", what=words(f"wizard_field.{field}"), state=value)


def _scoring_menu(words: Words, panel: WizardPanel, boards: Duplicate) -> Part | None:
    options = [
        Option(
            one.value, _option_text(words, "scoring", words(f"board_scoring.{one.value}")), None, one is boards.scoring
        )
        for one in BoardScoring
    ]
    return _field_menu(words, panel, "scoring", options)


def _game_parts(words: Words, panel: WizardPanel) -> list[Part | None]:
    plan = panel.plan
    those = family_pages(words, panel.offers)
    playing = next((one for one in panel.offers if _is_offer_chosen(one, plan)), None)
    within = next((one for one in those if playing in one.offers), those[0])
    shown = next((one for one in those if one.name == panel.family), within)
    link = control(panel.tournament.id, "t_family", version=panel.tournament.version)
    rules = [
        Option(offer_argument(one), *rules_text.label_and_sentence(words, one), one is playing) for one in shown.offers
    ]
    counts = () if playing is None else playing.players
    players = [Option(str(one), words("offer.players", players=one), None, one == plan.rules.players) for one in counts]
    chosen = "target" if plan.deals is None else str(plan.deals)
    deals = [Option(one, _deals_text(words, plan, one), None, one == chosen) for one in dict.fromkeys((*DEALS, chosen))]
    texts = [words("wizard.game", rules=wording.plan_rules_name(words, plan), players=plan.rules.players)]
    if not any(one.saved for one in panel.offers):
        texts.append(words("wizard.own_rules"))
    return [
        text("\n".join(texts)),
        select(link, words("picker.families"), family_options(those, shown)),
        _field_menu(words, panel, "rules", rules),
        _field_menu(words, panel, "players", players),
        _field_menu(words, panel, "deals", deals) if plan.duplicate is None else None,
        *button_rows([_form_button(words, panel, "themes", wording.theme_names(words, plan) or words("wizard.none"))]),
    ]


def _is_offer_chosen(offer: RulesOffer, plan: Plan) -> bool:
    return offer.name == plan.saved_as if plan.saved_as else not offer.saved and offer.name == plan.rules.name


def _deals_text(words: Words, plan: Plan, value: str) -> str:
    if value == "target":
        return words("tournament.target", target=group_thousands(words, plan.rules.target))
    return words("tournament.deals", count=int(value))


def _time_parts(words: Words, panel: WizardPanel) -> list[Part | None]:
    plan = panel.plan
    clock = plan.settings.clock
    clocks = [
        Option(one, _option_text(words, "clock", status_text.clock_option_label(words, terms)), None, terms == clock)
        for one, terms in PRESETS.items()
    ]
    check_in = (
        f"{wording.duration_text(words, plan.check_in_from)} – {wording.duration_text(words, plan.check_in_until)}"
    )
    typed = [
        _form_button(words, panel, "start", words("wizard.set_start")),
        _form_button(words, panel, "length", wording.duration_text(words, plan.round_time)),
        _form_button(words, panel, "between", wording.duration_text(words, plan.between)),
        _form_button(words, panel, "checkin", check_in),
        _toggle_button(words, panel, "live", on=plan.live),
    ]
    message = words("wizard.starts", when=wording.date_and_time(plan.starts_at), zone=panel.zone or "UTC")
    return [text(message), _field_menu(words, panel, "clock", clocks), *button_rows(typed)]


def _people_parts(words: Words, panel: WizardPanel) -> list[Part | None]:
    plan = panel.plan
    seedings = [
        Option(one.value, _option_text(words, "seeding", words(f"seeding.{one.value}")), None, one is plan.seeding)
        for one in Seeding
    ]
    pairs = plan.entry_size > 1 and not plan.traits.partners_change
    buttons_ = [
        _form_button(words, panel, "places", str(plan.places)),
        *([_toggle_button(words, panel, "drawn", on=plan.drawn)] if pairs else []),
        *(
            [_form_button(words, panel, "answer", wording.duration_text(words, plan.partner_answer))]
            if plan.persons_entering_together > 1 or plan.most_regulars
            else []
        ),
        *([_form_button(words, panel, "regulars", str(plan.regulars))] if plan.takes_regulars else []),
        _toggle_button(words, panel, "computers", on=plan.computers),
        _toggle_button(words, panel, "rated", on=plan.rated),
        *(_format_button(words, panel, one) for one in plan.traits.options if PAGE_OF[one] == "people"),
    ]
    message = words("wizard.people", people=wording.entrants_text(words, plan))
    levels = [Option(one, words(f"table_setting.level.{one}"), None, one == plan.settings.level) for one in LEVELS]
    level = _field_menu(words, panel, "level", levels) if plan.computers else None
    return [text(message), _field_menu(words, panel, "seeding", seedings), level, *button_rows(buttons_)]


def _check_parts(words: Words, panel: WizardPanel) -> list[Part | None]:
    plan, fitness = panel.plan, panel.fitness
    lines = [tournament_headline(words, panel.tournament), plan_summary(words, plan)]
    if panel.movement is not None and not fitness.unfit:
        lines.append(wording.pair_movement_text(words, panel.movement, explained=True))
    numbers = movement_values(plan)
    lines += [words("wizard.problem", problem=words(f"unfit.{one.value}", **numbers)) for one in fitness.unfit]
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
    repeat = repeat_button(words, panel.tournament) if not fitness.unfit else None
    if not fitness.unfit:
        lines.append(words("wizard.publishing"))
        if repeat is not None:
            lines.append(words("wizard.repeating" if plan.live else "wizard.dividing"))
    named = _form_button(words, panel, "name", wording.plain_text(plan.name, longest=30))
    return [text("\n".join(lines)), *button_rows([one for one in (publish, repeat, named, drop) if one is not None])]


_PARTS: Final[Mapping[str, Callable[[Words, WizardPanel], list[Part | None]]]] = {
    "format": _format_parts,
    "game": _game_parts,
    "time": _time_parts,
    "people": _people_parts,
    "check": _check_parts,
}


def initial_form_text(panel: WizardPanel, field: str, *, start: str) -> str:
    """Return the text with which a field's form opens, as people type it."""
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
        "regulars": str(plan.regulars),
        "answer": f"{plan.partner_answer // HOUR}h",
        "name": plan.name,
        "start": start,
        "themes": "; ".join(", ".join(one) for one in plan.themes_by_round),
    }
    return values.get(field, "")
