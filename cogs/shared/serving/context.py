"""The services, pages and message writers that every feature gets."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.clock import Clock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.computer.hints import HintPlanner
from bot.computer.reviews import DealReviewer
from bot.lessons.progress import LessonProgress
from bot.profiles.blocks import BlockList
from bot.profiles.game_statistics import GameStatisticsService
from bot.profiles.guild_settings import ServerSettingsService
from bot.profiles.preferences import PreferencesService
from bot.ratings.service import RatingService
from bot.series.service import SeriesService
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tournaments.service import TournamentService
from cogs.shared.posting.board_updates import BoardUpdater
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.live_panels import LivePanels
from cogs.shared.posting.open_seats_message import OpenSeatsMessages
from cogs.shared.serving.routing import Router
from cogs.shared.showing.pages import Pages


@dataclass(frozen=True, slots=True)
class Services:
    """The clock and the services of the program that do not depend on Discord."""

    tables: TableService
    profiles: PreferencesService
    personal_times: PersonalTimes
    blocks: BlockList
    figures: GameStatisticsService
    ratings: RatingService
    servers: ServerSettingsService
    notices: NoticeRepository
    clock: Clock
    tournaments: TournamentService
    lessons: LessonProgress
    series: SeriesService
    hints: HintPlanner
    reviews: DealReviewer


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a feature needs: services, pages, the writers of messages and panels, and the router."""

    services: Services
    pages: Pages
    board_updater: BoardUpdater
    panels: LivePanels
    direct: DirectMessages
    open_seats: OpenSeatsMessages
    router: Router

    @property
    def tables(self) -> TableService:
        """Return the table service."""
        return self.services.tables

    @property
    def hints(self) -> HintPlanner:
        """Return the service for hints to players at tables."""
        return self.services.hints

    @property
    def reviews(self) -> DealReviewer:
        """Return the service for reviews of finished deals."""
        return self.services.reviews

    @property
    def profiles(self) -> PreferencesService:
        """Return the service for people's preferences."""
        return self.services.profiles

    @property
    def personal_times(self) -> PersonalTimes:
        """Return the service for quiet hours and vacation."""
        return self.services.personal_times

    @property
    def blocks(self) -> BlockList:
        """Return the service for block lists."""
        return self.services.blocks

    @property
    def figures(self) -> GameStatisticsService:
        """Return the service for statistics of finished games."""
        return self.services.figures

    @property
    def ratings(self) -> RatingService:
        """Return the service for player ratings."""
        return self.services.ratings

    @property
    def clock(self) -> Clock:
        """Return the clock."""
        return self.services.clock

    @property
    def servers(self) -> ServerSettingsService:
        """Return the service for settings of servers."""
        return self.services.servers

    @property
    def tournaments(self) -> TournamentService:
        """Return the tournament service."""
        return self.services.tournaments

    @property
    def lessons(self) -> LessonProgress:
        """Return the service for the lessons that people have finished."""
        return self.services.lessons

    @property
    def series(self) -> SeriesService:
        """Return the series service."""
        return self.services.series
