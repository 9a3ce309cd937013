"""A person's data: export, deletion, notices."""
