"""Care for the file: what cannot be read, copies and what is restored from them, checks, repairs, and archives."""
