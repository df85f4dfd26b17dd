"""Permission: which calls run, which are asked about, which are refused."""
