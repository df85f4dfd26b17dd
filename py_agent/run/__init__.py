"""Running: sessions that are open, the loop, and the calls it makes."""
