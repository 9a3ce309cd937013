"""Keep the messages of tables and the private panels up to date, within a request budget."""
