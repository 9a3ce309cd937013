"""Players by rules of thumb: what a seat's view suggests, weighed by habits."""
