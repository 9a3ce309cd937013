"""Pictures of what one viewer may see, and the same in words: view, layout (data), pixels, PNG."""
