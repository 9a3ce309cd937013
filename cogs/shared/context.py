"""What every feature needs: the services behind the Discord side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.service import TableService
from cogs.shared.pages import Pages
from cogs.shared.presenter import Presenter
from cogs.shared.routing import Router


@dataclass(frozen=True, slots=True)
class Context:
    """The table service, the pages, the presenter and the router."""

    tables: TableService
    pages: Pages
    presenter: Presenter
    router: Router
