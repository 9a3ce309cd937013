"""Choices of persons and guilds: look of pictures, text only, language, blocks; and game statistics."""
