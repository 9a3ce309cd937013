"""Settings: what is read, what is refused, and that `.env.example` names every one."""

import re
from pathlib import Path

import pytest

from bot import config

EXAMPLE = Path(__file__).parent.parent / ".env.example"


def test_empty_settings_mean_the_defaults() -> None:
    assert config.Settings() == config.load_settings({})
    assert Path("canasta.db") == config.load_settings({}).database
    assert config.load_settings({}).discord_token == ""


def test_an_empty_variable_counts_as_unset() -> None:
    assert config.load_settings({"CANASTA_LOBBY_HOURS": " "}).lobby_hours == config.Settings().lobby_hours


def test_the_caller_may_bring_other_defaults_and_settings_override_them() -> None:
    assert Path("demo.db") == config.load_settings({}, database=Path("demo.db")).database
    assert Path("mine.db") == config.load_settings({"CANASTA_DATABASE": "mine.db"}, database=Path("demo.db")).database


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("CANASTA_LOG_LEVEL", "debug", "log_level", "DEBUG"),
        ("CANASTA_LOG_FORMAT", "JSON", "log_format", "json"),
        ("CANASTA_COMPUTER_PACE", "0.25", "computer_pace", 0.25),
        ("CANASTA_LOBBY_HOURS", "48", "lobby_hours", 48),
        ("DISCORD_TOKEN", " secret ", "discord_token", "secret"),
        ("CANASTA_PAGES", "/srv/pages", "pages", Path("/srv/pages")),
    ],
)
def test_each_setting_is_read_from_its_variable(name: str, text: str, field: str, value: object) -> None:
    assert value == getattr(config.load_settings({name: text}), field)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CANASTA_LOG_LEVEL", "loud"),
        ("CANASTA_COMPUTER_PACE", "-1"),
        ("CANASTA_COMPUTER_PACE", "nan"),
        ("CANASTA_LOBBY_HOURS", "1.5"),
        ("CANASTA_LOBBY_HOURS", "0"),
        ("CANASTA_DEVELOPMENT_SERVER", "my server"),
    ],
)
def test_the_error_names_the_setting_with_a_wrong_value(name: str, text: str) -> None:
    with pytest.raises(config.SettingsError, match=f"{name}='{re.escape(text)}' should be"):
        config.load_settings({name: text})


def test_one_error_names_all_settings_with_wrong_values() -> None:
    with pytest.raises(config.SettingsError) as caught:
        config.load_settings({"CANASTA_LOBBY_HOURS": "x", "CANASTA_LOG_LEVEL": "y"})
    assert len(caught.value.problems) == 2


def test_the_token_is_not_in_the_repr_of_the_settings() -> None:
    assert "hush" not in repr(config.load_settings({"DISCORD_TOKEN": "hush"}))


def test_unknown_variables_with_the_bots_prefix_are_found() -> None:
    assert config.unknown_variables({"CANASTA_DATABSE": "x", "PATH": "/bin", "CANASTA_DATABASE": "y"}) == [
        "CANASTA_DATABSE"
    ]


def test_variables_of_the_process_override_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text('# a comment\nexport CANASTA_LOG_FORMAT="json"\nCANASTA_LOBBY_HOURS=5 # short\nDISCORD_TOKEN=a$b\n')
    monkeypatch.setenv("CANASTA_LOBBY_HOURS", "7")
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    read = config.load_settings(config.read_environment(file))
    assert ("json", 7, "a$b") == (read.log_format, read.lobby_hours, read.discord_token)


def test_a_missing_settings_file_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "from the process")
    assert config.read_environment(tmp_path / "none")["DISCORD_TOKEN"] == "from the process"


def test_the_example_names_every_setting_with_its_default_and_no_other() -> None:
    lines = EXAMPLE.read_text().splitlines()
    shown = {found[1]: found[2] for line in lines if (found := re.fullmatch(r"#?([A-Z_]+)=(.*)", line))}
    assert {name: config.default_text(one) for name, one in config.setting_fields().items()} == shown


def test_the_example_comments_every_setting() -> None:
    paragraphs = EXAMPLE.read_text().strip().split("\n\n")[1:]
    assert all(paragraph.startswith("# ") for paragraph in paragraphs)
