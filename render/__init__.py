"""Pictures of a viewer's data, and descriptions in words: from view to layout to pixels to PNG."""
