"""`/profile`: a person's finished games in figures, with the partners of most of them."""

from __future__ import annotations

from discord import User, app_commands
from discord.ext import commands

from bot.i18n import Words
from bot.profiles.figures import Figures
from cogs.shared.interactions import replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.errors import answered
from cogs.shared.interactions.layout import Page, container, page, text
from cogs.shared.interactions.replies import Interaction
from cogs.shared.telling.figures import grouped, one_place


class FiguresCommand(commands.Cog):
    """`/profile`, which shows in private what is known of anybody's finished games."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command()
    @app_commands.guild_only()
    async def profile(self, interaction: Interaction, person: User | None = None) -> None:
        async with answered(interaction):
            shown = interaction.user.id if person is None else person.id
            figures = await self.context.figures.of(shown)
            await replies.show(interaction, figures_page(replies.words_for(interaction), shown, figures))


def figures_page(words: Words, person: int, figures: Figures) -> Page:
    """The figures as a page; a mention shows the name and, in a private answer, calls nobody."""
    title = words("profile.title", person=f"<@{person}>")
    lines = _lines(words, figures) if figures.games else [words("profile.none")]
    lines.append(f"-# {_reliability(words, figures)}")
    return page([container(text("\n".join([title, *lines])))])


def _lines(words: Words, figures: Figures) -> list[str]:
    average, best = figures.canastas_a_deal, figures.best_deal
    lines = [
        words("profile.games", count=figures.games, won=figures.won, together=figures.together),
        words("profile.deals", count=figures.deals),
        "" if average is None else words("profile.canastas", average=one_place(words, average)),
        "" if best is None else words("profile.best_deal", points=grouped(words, best)),
        *(
            words("profile.partner", partner=f"<@{one.partner}>", count=one.games, won=one.won)
            for one in figures.partnerships
        ),
    ]
    return [line for line in lines if line]


def _reliability(words: Words, figures: Figures) -> str:
    """Games brought to an end, and how often the time ran out."""
    told = [
        words("profile.finished", count=figures.games) if figures.games else "",
        words("profile.lapses", count=figures.lapses),
        words("profile.agreed", count=figures.agreed) if figures.agreed else "",
    ]
    return " · ".join(filter(None, told))
