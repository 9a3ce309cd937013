"""Choices of people and guilds (pictures, text only, language, blocks), and game statistics."""
