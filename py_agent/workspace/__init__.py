"""The shadow workspace: a content-addressed copy in which every change is a transaction."""
