"""What a table is: its state, its events, and what they make of it. Types and folds only; nothing here decides."""
