"""Words: catalogues for codes and numbers."""
