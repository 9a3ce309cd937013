"""The Discord side: thin. Parses what a person did, asks a service, shows what came of it."""
