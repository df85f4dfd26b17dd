"""Models: the types they share, and those that need no network."""
