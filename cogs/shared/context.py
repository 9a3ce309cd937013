"""What every feature needs: the services behind the Discord side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.profiles.service import ProfileService
from bot.tables.service import TableService
from cogs.shared.pages import Pages
from cogs.shared.panels.living import Panels
from cogs.shared.presenter import Presenter
from cogs.shared.routing import Router


@dataclass(frozen=True, slots=True)
class Context:
    """The services of tables and of preferences, the pages, the presenter, the living panels and the router."""

    tables: TableService
    profiles: ProfileService
    pages: Pages
    presenter: Presenter
    panels: Panels
    router: Router
