"""What persons and servers have chosen: how pictures look, or that there be none."""
