"""An endpoint: where a model is asked, with which key, and what its refusals mean in words."""

from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Self
from urllib.parse import urlsplit

from py_agent.errors import ModelError, ModelRefused, ModelUnavailable, UsageError
from py_agent.ports.http import HttpResponse
from py_agent.providers.arguments import read_json
from py_agent.providers.wire import JsonObject, an_object, error_of

OPENAI_URL = "https://api.openai.com/v1"
MAX_RETRY_AFTER_SECONDS = 60.0
_PASSING = {408, 409, 429}
_MISSING = {404, 405, 501}
_SHOWN_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The key goes to this address alone, and into no text."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    api_key_header: str = "authorization"

    @classmethod
    def parse(cls, base_url: str, api_key: str | None = None) -> Self:
        parts = urlsplit(base_url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{base_url!r} is no base URL; write it as http://localhost:1234/v1 or https://host/v1.")
        if parts.username or parts.password:
            raise UsageError("The base URL must not carry a user name or password; give the key as OPENAI_API_KEY.")
        if parts.query or parts.fragment:
            raise UsageError(f"The base URL {parts.scheme}://{parts.netloc}{parts.path} must end before '?' and '#'.")
        return cls(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", api_key or None)

    @property
    def headers(self) -> dict[str, str]:
        if self.api_key is None:
            return {}
        is_bearer = self.api_key_header == "authorization"
        return {self.api_key_header: f"Bearer {self.api_key}" if is_bearer else self.api_key}

    def clean(self, text: str) -> str:
        """A server's words, cut to a length that can be shown, without the key should it echo it."""
        text = text.replace(self.api_key, "***") if self.api_key else text
        text = " ".join(text.split())
        return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."

    def refusal(self, response: HttpResponse, body: bytes, *, model: str, now: float) -> ModelError:
        """What a response that is no answer means, and what to do about it."""
        status, said = response.status, self.clean(message_of(body))
        says = f" It says: {said}" if said else ""
        match status:
            case 401 | 403:
                key = "Check the key" if self.api_key else "It needs a key: set OPENAI_API_KEY"
                return ModelRefused(f"{self.base_url} refused access ({status}). {key}.{says}")
            case 404 | 405 | 501:
                text = f"{self.base_url} has no model {model!r}, or is not an OpenAI-compatible endpoint ({status})."
                return ModelRefused(f"{text} Check the model's name and the base URL.{says}")
            case 429 if code_of(body) == "insufficient_quota":
                return ModelRefused(f"{self.base_url} has no quota left for this key ({status}).{says}")
            case _ if status in _PASSING or status >= 500:
                wait = retry_after_seconds(response, now)
                return ModelUnavailable(f"{self.base_url} cannot answer now ({status}).{says}", wait)
            case _ if 300 <= status < 400:
                target = self.clean(response.headers.get("location", "")) or "another address"
                text = f"{self.base_url} redirects to {target}; the key is not sent there."
                return ModelRefused(f"{text} Set the base URL to where it leads, if you trust that address.")
        return ModelRefused(f"{self.base_url} refused the request ({status}).{says}")


def lacks_path(status: int, body: bytes, *, model: str) -> bool:
    """Whether an endpoint does not know the path that was asked, rather than the model."""
    if status == 200:
        # LM Studio answers so where it has no such path.
        return "unexpected endpoint" in message_of(body).lower()
    return status in _MISSING and code_of(body) != "model_not_found" and model not in message_of(body)


def message_of(body: bytes) -> str:
    """The words in an error's body, whatever its shape."""
    data = parse_object(body)
    if data is None:
        text = body.decode(errors="replace").strip()
        return "" if text.startswith("<") else text
    error = error_of(data)
    if isinstance(error, str):
        return error
    found = (error or data).get("message") or data.get("detail") or data.get("message")
    return found if isinstance(found, str) else ""


def code_of(body: bytes) -> object:
    return an_object(an_object(parse_object(body)).get("error")).get("code")


def parse_object(body: bytes | str) -> JsonObject | None:
    try:
        data = read_json(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def retry_after_seconds(response: HttpResponse, now: float) -> float | None:
    """The header in both of its forms, seconds or a date, within bounds; None if there is none to speak of."""
    value = response.headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, IndexError):
            return None
        seconds = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now
    return min(max(seconds, 0.0), MAX_RETRY_AFTER_SECONDS) if seconds == seconds else None  # noqa: PLR0124 -- NaN
