"""What may go wrong, each with what a caller can do about it."""

from __future__ import annotations

from typing import Any, Optional


class MarqueError(Exception):
    """Any failure of a call. Its text is the service's own sentence where there is one."""

    status: Optional[int] = None


class InvalidRequest(MarqueError):
    """The request cannot be answered as it is: 400, 404, 413, 415 or 422."""


class NotAuthorized(MarqueError):
    """The key is invalid or may not do this: 401 or 403."""


class LimitReached(MarqueError):
    """The month is used up: 429 without a time to wait. `reset_at` tells when it begins again."""

    limit: Optional[int] = None
    reset_at: Optional[str] = None


class StillPending(MarqueError):
    """The VIN is still looked up outside. Ask again after `retry_after_seconds`; nothing was charged."""

    def __init__(self, vin: str, retry_after_seconds: float) -> None:
        super().__init__(f"{vin} is still being looked up. Ask again in {retry_after_seconds:g} seconds.")
        self.vin = vin
        self.retry_after_seconds = retry_after_seconds


class Unavailable(MarqueError):
    """The service could not answer, however often it was asked: 409, 429 with a time, or 5xx."""


class ConnectionFailed(MarqueError):
    """The service could not be reached, or the connection broke each time."""


def refusal_of(status: int, body: Any) -> MarqueError:
    """The error for an answer that is no success."""
    answer = body if isinstance(body, dict) else {}
    message = str(answer.get("error") or f"The service answered {status}.")
    error: MarqueError
    if status in (401, 403):
        error = NotAuthorized(message)
    elif status == 429 and "resetAt" in answer:
        error = LimitReached(message)
        error.limit = answer.get("limit")
        error.reset_at = answer.get("resetAt")
    elif status in (409, 429) or status >= 500:
        error = Unavailable(message)
    else:
        error = InvalidRequest(message)
    error.status = status
    return error
