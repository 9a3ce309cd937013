"""What is kept of a person: export, deletion, notices."""
