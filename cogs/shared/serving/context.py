"""The services that every feature needs."""

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
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.live_panels import LivePanels
from cogs.shared.posting.open_seats import OpenSeatsPosts
from cogs.shared.posting.presenter import Presenter
from cogs.shared.serving.routing import Router
from cogs.shared.showing.pages import Pages


@dataclass(frozen=True, slots=True)
class Services:
    """The services of the program that do not depend on Discord, and the clock."""

    tables: TableService
    profiles: PreferencesService
    personal: PersonalTimes
    circle: BlockList
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
    """The services, pages, presenter, live panels, direct messages, messages of open seats, and router."""

    services: Services
    pages: Pages
    presenter: Presenter
    panels: LivePanels
    direct: DirectMessages
    open_seats: OpenSeatsPosts
    router: Router

    @property
    def tables(self) -> TableService:
        """The table service."""
        return self.services.tables

    @property
    def hints(self) -> HintPlanner:
        """Hints for players at tables."""
        return self.services.hints

    @property
    def reviews(self) -> DealReviewer:
        """Reviews of finished deals."""
        return self.services.reviews

    @property
    def profiles(self) -> PreferencesService:
        """Preferences of people."""
        return self.services.profiles

    @property
    def personal_times(self) -> PersonalTimes:
        """Quiet hours and vacation."""
        return self.services.personal

    @property
    def blocks(self) -> BlockList:
        """Block lists."""
        return self.services.circle

    @property
    def figures(self) -> GameStatisticsService:
        """Statistics of finished games."""
        return self.services.figures

    @property
    def ratings(self) -> RatingService:
        """Player ratings."""
        return self.services.ratings

    @property
    def clock(self) -> Clock:
        """The clock."""
        return self.services.clock

    @property
    def servers(self) -> ServerSettingsService:
        """Settings of guilds."""
        return self.services.servers

    @property
    def tournaments(self) -> TournamentService:
        """The tournament service."""
        return self.services.tournaments

    @property
    def lessons(self) -> LessonProgress:
        """Lessons that people have finished."""
        return self.services.lessons

    @property
    def series(self) -> SeriesService:
        """The series service."""
        return self.services.series
