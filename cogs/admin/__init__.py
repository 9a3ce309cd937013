"""What those choose who manage a server: `/setup`."""
