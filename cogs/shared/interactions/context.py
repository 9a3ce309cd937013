"""What every feature needs: the services behind the Discord side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.profiles.service import ProfileService
from bot.tables.service import TableService
from cogs.shared.boards.presenter import Presenter
from cogs.shared.interactions.routing import Router
from cogs.shared.private.pages import Pages
from cogs.shared.private.panels.living import Panels


@dataclass(frozen=True, slots=True)
class Context:
    """The services of tables and of preferences, the pages, the presenter, the living panels and the router."""

    tables: TableService
    profiles: ProfileService
    pages: Pages
    presenter: Presenter
    panels: Panels
    router: Router
