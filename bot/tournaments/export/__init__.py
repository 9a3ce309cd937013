"""What a tournament gives away: a JSON document, tables for spreadsheets (`docs/event.md`)."""
