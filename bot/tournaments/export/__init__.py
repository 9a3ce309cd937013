"""Exports of a tournament: a JSON document, tables for spreadsheets (`docs/event.md`)."""
