"""What every feature needs: the services behind the Discord side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.personal import PersonalTimes
from bot.profiles.service import ProfileService
from bot.tables.notices import NoticeBook
from bot.tables.service import TableService
from cogs.shared.boards.presenter import Presenter
from cogs.shared.interactions.routing import Router
from cogs.shared.private.pages import Pages
from cogs.shared.private.panels.living import Panels


@dataclass(frozen=True, slots=True)
class Services:
    """What the program does for its players, without Discord: tables, preferences, personal time, notices."""

    tables: TableService
    profiles: ProfileService
    personal: PersonalTimes
    notices: NoticeBook


@dataclass(frozen=True, slots=True)
class Context:
    """The services, the pages, the presenter, the living panels and the router."""

    services: Services
    pages: Pages
    presenter: Presenter
    panels: Panels
    router: Router

    @property
    def tables(self) -> TableService:
        """Everything that can be asked of tables."""
        return self.services.tables

    @property
    def profiles(self) -> ProfileService:
        """What persons and servers have chosen."""
        return self.services.profiles

    @property
    def personal(self) -> PersonalTimes:
        """Quiet hours and vacation."""
        return self.services.personal
