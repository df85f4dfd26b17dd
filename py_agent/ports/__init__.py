"""Protocols for what differs by platform or is handed down; `hosts/` implements them."""
