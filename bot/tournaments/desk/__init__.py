"""The directors' desk of a tournament: permissions, previews of rulings, and lists of unusual play."""
