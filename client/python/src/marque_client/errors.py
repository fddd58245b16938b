"""Errors, one for each thing that a caller can do about them."""

from __future__ import annotations

from typing import Any, Optional


class MarqueError(Exception):
    """Any failure of a call. Its text is the service's own message where there is one."""

    status: Optional[int] = None


class InvalidRequestError(MarqueError):
    """The request must change: 400, 404, 413, 415 or 422."""


class NotAuthorizedError(MarqueError):
    """The key is invalid or may not do this: 401 or 403."""


class LimitReachedError(MarqueError):
    """The month is used up: 429 without a time to wait. `reset_at` is the start of the next one."""

    limit: Optional[int] = None
    reset_at: Optional[str] = None


class StillPendingError(MarqueError):
    """The VIN is still being looked up. Ask again after `retry_after_seconds`; nothing was charged."""

    def __init__(self, vin: str, retry_after_seconds: float) -> None:
        super().__init__(f"{vin} is still being looked up. Ask again in {retry_after_seconds:g} seconds.")
        self.vin = vin
        self.retry_after_seconds = retry_after_seconds


class UnavailableError(MarqueError):
    """The service did not answer within the retries: 409, 429 with a time, or 5xx."""


class ConnectionFailedError(MarqueError):
    """The service could not be reached, or the connection broke each time."""


def refusal_of(status: int, body: Any) -> MarqueError:
    """The error for a response other than 2xx."""
    answer = body if isinstance(body, dict) else {}
    message = str(answer.get("error") or f"The service answered {status}.")
    error: MarqueError
    if status in (401, 403):
        error = NotAuthorizedError(message)
    elif status == 429 and "resetAt" in answer:
        error = LimitReachedError(message)
        error.limit = answer.get("limit")
        error.reset_at = answer.get("resetAt")
    elif status in (409, 429) or status >= 500:
        error = UnavailableError(message)
    else:
        error = InvalidRequestError(message)
    error.status = status
    return error
