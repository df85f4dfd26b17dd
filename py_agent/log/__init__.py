"""The append-only event log of a session, and the folds that read it."""
