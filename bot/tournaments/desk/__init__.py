"""What the director's desk of a tournament works out: who may see what, what a ruling would change, what stands out."""
