"""Ids from the system's source of randomness."""

import secrets


class RandomIds:
    def new(self) -> str:
        return secrets.token_hex(16)
