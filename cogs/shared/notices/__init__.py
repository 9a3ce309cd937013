"""Notices: decide who is notified, when and how; send these messages and delete outdated ones."""
