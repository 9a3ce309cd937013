"""The panel of a lobby's themes: the library by groups, and custom conditions."""

from __future__ import annotations

from typing import Final

from bot.engine.rules.themes.conditions import CANASTAS
from bot.engine.rules.themes.named_themes import GROUPS, theme_names
from bot.engine.rules.themes.own_themes import CHOICES, OWN_BY_DEAL, is_condition_complete, own_conditions
from bot.i18n import Words
from bot.i18n.theme_words import condition_sentence, ranks_text, theme_description, theme_sentences, theme_title
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import (
    DANGER,
    GREEN,
    SUCCESS,
    Form,
    Option,
    Page,
    Part,
    button,
    button_row,
    container,
    form,
    page,
    select,
    text,
)
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling.names import original_rules_name
from cogs.table.options import theme_draft
from cogs.table.options.house_rules import THEMES, back_button, shorten_text, topics_menu
from cogs.table.options.theme_draft import Draft

EVERY_DEAL: Final = "every"
OWN_DEAL: Final = "own"


def themes_panel(words: Words, snapshot: TableSnapshot, *, group: str = "", note: str = "") -> Page:
    """Return the panel with the table's themes and the menus to add and remove them."""
    lines = [
        words("theme_panel.theme", title=theme_title(words, one.name), told=theme_sentences(words, one))
        for one in snapshot.terms.theme
    ]
    parts = [
        _heading_part(words, snapshot, [*(lines or [words("theme_panel.none")]), words("theme_panel.choose")], note),
        topics_menu(words, snapshot, THEMES),
        _groups_menu(words, snapshot, group),
        _library_menu(words, snapshot, group) if group else None,
        _condition_sorts_menu(words, snapshot),
        _own_conditions_menu(words, snapshot),
        button_row(
            None
            if snapshot.terms.theme == snapshot.base.theme
            else button(_control_id(snapshot, "themes_reset"), words("options.reset"), style=DANGER),
            button(_control_id(snapshot, "rules"), words("board.rules")),
            back_button(words, snapshot),
        ),
    ]
    return page([container(*parts, edge=GREEN)])


def condition_panel(words: Words, snapshot: TableSnapshot, draft: Draft, *, note: str = "") -> Page:
    """Return the panel to compose a condition: its sentence so far, and a menu for each value."""
    one, choices = draft.condition, CHOICES[draft.condition.what]
    complete = is_condition_complete(one)
    lines = [
        words(
            "theme_panel.sort", name=words(f"theme_sort.{one.what}.name"), about=words(f"theme_sort.{one.what}.about")
        ),
        words("theme_panel.so_far", told=condition_sentence(words, one))
        if complete
        else words("theme_panel.incomplete"),
    ]
    if complete and draft.by_deal:
        lines.append(
            words(
                "theme_panel.in_deal", deal=1 + sum(name == OWN_BY_DEAL for name, _ in own_conditions(snapshot.terms))
            )
        )
    parts = [
        _heading_part(words, snapshot, lines, note),
        _ranks_menu(words, snapshot, draft) if choices.ranks else None,
        _canasta_menu(words, snapshot, draft) if choices.canastas else None,
        _number_menu(words, snapshot, draft) if choices.most else None,
        _end_menu(words, snapshot, draft) if choices.untils != ("never",) else None,
        _deals_menu(words, snapshot, draft),
        button_row(
            button(
                _control_id(snapshot, "theme_add", draft.argument),
                words("theme_panel.add"),
                style=SUCCESS,
                enabled=complete,
            ),
            button(_control_id(snapshot, "theme_seats", draft.argument), words("theme_panel.by_seat"))
            if choices.by_seat
            else None,
            button(_control_id(snapshot, "themes"), words("theme_panel.back")),
        ),
    ]
    return page([container(*parts, edge=GREEN)])


def seat_ranks_form(words: Words, snapshot: TableSnapshot, draft: Draft) -> Form:
    """Return the form for typing a rank for each seat."""
    typed = " ".join("10" if rank == "T" else rank for rank in draft.condition.ranks) if draft.condition.by_seat else ""
    return form(
        _control_id(snapshot, "theme_seated", draft.argument),
        words("theme_panel.by_seat"),
        hint=words("theme_panel.by_seat_hint"),
        filled=typed,
        required=True,
    )


# --- texts ------------------------------------------------------------------------------------------------------------


def _heading_part(words: Words, snapshot: TableSnapshot, lines: list[str], note: str) -> Part:
    heading = words("options.title", table=snapshot.id, rules=original_rules_name(words, snapshot))
    noted = [words("panel.note", note=note)] if note else []
    return text("\n".join([heading, *noted, words("theme_panel.title"), *lines]))


# --- controls --------------------------------------------------------------------------------------------------------


def _control_id(snapshot: TableSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action, argument)


def _groups_menu(words: Words, snapshot: TableSnapshot, group: str) -> Part | None:
    lying = theme_names(snapshot.terms)
    options = []
    for name, themes in GROUPS.items():
        count = sum(theme in lying for theme in themes)
        described = words("theme_panel.chosen", count=count) if count else words(f"theme_group.{name}.about")
        options.append(Option(name, words(f"theme_group.{name}.name"), described, chosen=name == group))
    return select(_control_id(snapshot, "themes_group"), words("theme_panel.groups"), options)


def _library_menu(words: Words, snapshot: TableSnapshot, group: str) -> Part | None:
    lying = theme_names(snapshot.terms)
    options = [
        Option(name, theme_title(words, name), shorten_text(theme_description(words, name)), chosen=name in lying)
        for name in GROUPS[group]
    ]
    control = _control_id(snapshot, "themes_choose", group.replace("_", "."))
    return select(control, words("theme_panel.themes"), options, least=0, most=len(options))


def _condition_sorts_menu(words: Words, snapshot: TableSnapshot) -> Part | None:
    options = [
        Option(sort, words(f"theme_sort.{sort}.name"), shorten_text(words(f"theme_sort.{sort}.about")))
        for sort in theme_draft.SORTS
    ]
    return select(_control_id(snapshot, "themes_sort"), words("theme_panel.compose"), options)


def _own_conditions_menu(words: Words, snapshot: TableSnapshot) -> Part | None:
    """Return the menu to remove the host's own conditions; equal ones in several deals are one choice."""
    drafts = {
        Draft(one, name == OWN_BY_DEAL): condition_sentence(words, one) for name, one in own_conditions(snapshot.terms)
    }
    options = [Option(draft.argument, shorten_text(line)) for draft, line in drafts.items()]
    return select(_control_id(snapshot, "themes_drop"), words("theme_panel.drop"), options)


def _ranks_menu(words: Words, snapshot: TableSnapshot, draft: Draft) -> Part | None:
    choices, one = CHOICES[draft.condition.what], draft.condition
    options = [
        Option(rank, ranks_text(words, [rank]), chosen=not one.by_seat and rank in one.ranks) for rank in choices.ranks
    ]
    control = _control_id(snapshot, "theme_ranks", draft.argument)
    return select(control, words("theme_panel.ranks"), options, least=choices.least, most=len(options))


def _canasta_menu(words: Words, snapshot: TableSnapshot, draft: Draft) -> Part | None:
    options = [
        Option(kind, words(f"theme_canasta.{kind}"), chosen=kind == draft.condition.canasta) for kind in CANASTAS
    ]
    return select(_control_id(snapshot, "theme_canasta", draft.argument), words("theme_panel.canasta"), options)


def _number_menu(words: Words, snapshot: TableSnapshot, draft: Draft) -> Part | None:
    numbers = range(1, CHOICES[draft.condition.what].most + 1)
    options = [
        Option(str(one), words("theme_panel.count", count=one), chosen=one == draft.condition.number) for one in numbers
    ]
    return select(_control_id(snapshot, "theme_number", draft.argument), words("theme_panel.number"), options)


def _end_menu(words: Words, snapshot: TableSnapshot, draft: Draft) -> Part | None:
    now = theme_draft.end_value(draft.condition)
    options = [
        Option(end, _end_label(words, end), chosen=end == now)
        for end in theme_draft.possible_ends(draft.condition.what)
    ]
    return select(_control_id(snapshot, "theme_end", draft.argument), words("theme_panel.end"), options)


def _end_label(words: Words, end: str) -> str:
    name, _, more = end.partition(".")
    if name == "never":
        return words("theme_panel.always")
    canasta = words(f"canasta_kind.{more}", count=1) if name == "canasta" else ""
    return words("theme_panel.only", until=words(f"theme_end.{name}", number=more, canasta=canasta).strip())


def _deals_menu(words: Words, snapshot: TableSnapshot, draft: Draft) -> Part | None:
    options = [
        Option(EVERY_DEAL, words("theme_panel.every_deal"), chosen=not draft.by_deal),
        Option(
            OWN_DEAL,
            words("theme_panel.own_deal"),
            shorten_text(words("theme_panel.own_deal_about")),
            chosen=draft.by_deal,
        ),
    ]
    return select(_control_id(snapshot, "theme_deals", draft.argument), words("theme_panel.deals"), options)
