"""Answer commands and controls: services, router, choice of the table, private panel, autocompletion."""
