"""What every feature needs: the services behind the Discord side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.clock import Clock
from bot.clocks.personal import PersonalTimes
from bot.profiles.blocks import BlockList
from bot.profiles.figures import FiguresService
from bot.profiles.guilds import ServerService
from bot.profiles.people import ProfileService
from bot.ratings.service import RatingService
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tournaments.service import TournamentService
from cogs.shared.posting.live_panels import LivePanels
from cogs.shared.posting.presenter import Presenter
from cogs.shared.serving.routing import Router
from cogs.shared.showing.pages import Pages


@dataclass(frozen=True, slots=True)
class Services:
    """What the program does for its players, without Discord, and the time.

    That is tables, preferences, personal time, who joins whom, figures, ratings, what servers have chosen, notices, and
    tournaments.
    """

    tables: TableService
    profiles: ProfileService
    personal: PersonalTimes
    circle: BlockList
    figures: FiguresService
    ratings: RatingService
    servers: ServerService
    notices: NoticeRepository
    clock: Clock
    tournaments: TournamentService


@dataclass(frozen=True, slots=True)
class Context:
    """The services, the pages, the presenter, the living panels and the router."""

    services: Services
    pages: Pages
    presenter: Presenter
    panels: LivePanels
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

    @property
    def circle(self) -> BlockList:
        """Whom persons would not play with."""
        return self.services.circle

    @property
    def figures(self) -> FiguresService:
        """What finished games come to."""
        return self.services.figures

    @property
    def ratings(self) -> RatingService:
        """How strong players are."""
        return self.services.ratings

    @property
    def clock(self) -> Clock:
        """What time it is."""
        return self.services.clock

    @property
    def servers(self) -> ServerService:
        """What servers have chosen for their tables."""
        return self.services.servers

    @property
    def tournaments(self) -> TournamentService:
        """Everything that can be asked of tournaments."""
        return self.services.tournaments
