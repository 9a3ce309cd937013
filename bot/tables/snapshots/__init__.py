"""What a viewer of a table is shown. Pure."""
