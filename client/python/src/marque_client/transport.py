"""Requests that are retried when that helps."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional, Tuple, Union

from .errors import ConnectionFailedError, refusal_of

FIRST_PAUSE_SECONDS = 0.25


@dataclass(frozen=True)
class Retries:
    """When a client retries, and when it gives up."""

    retries: int
    longest_pause_seconds: float
    timeout_seconds: float


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def ask(request: urllib.request.Request, retries: Retries) -> Tuple[int, Any]:
    """Sends a request until it is answered. Returns status and body of a success, otherwise raises a `MarqueError`."""
    status, content = _ask(request, retries)
    return status, json_of(content)


def ask_text(request: urllib.request.Request, retries: Retries) -> str:
    """The same for a response of JSON lines."""
    return _ask(request, retries)[1].decode()


def _ask(request: urllib.request.Request, retries: Retries) -> Tuple[int, bytes]:
    for tried in range(retries.retries + 1):
        failure: Exception
        try:
            status, content, headers = _send(request, retries.timeout_seconds)
        except (OSError, http.client.HTTPException) as error:
            failure = ConnectionFailedError(f"The service at {request.host} could not be reached: {error}")
            failure.__cause__ = error
            pause: Optional[float] = _backoff(tried)
        else:
            if 200 <= status < 300:
                return status, content
            failure = refusal_of(status, _refusal_in(content))
            pause = _pause_after(status, headers.get("Retry-After"), tried)
        if pause is None or pause > retries.longest_pause_seconds or tried == retries.retries:
            raise failure
        time.sleep(pause)
    raise AssertionError("unreachable")


def _send(request: urllib.request.Request, timeout: float) -> Tuple[int, bytes, Mapping[str, str]]:
    try:
        with _OPENER.open(request, timeout=timeout) as response:
            return response.status, response.read(), response.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def json_of(content: Union[bytes, str]) -> Any:
    """Reads a success. What is not JSON comes from another server at this address."""
    try:
        return json.loads(content)
    except ValueError as error:
        raise ConnectionFailedError("The server did not answer in JSON. Check base_url.") from error


def _refusal_in(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _pause_after(status: int, retry_after: Optional[str], tried: int) -> Optional[float]:
    """Seconds to wait before the next attempt; None: do not retry."""
    if status == 429 and retry_after is None:
        return None
    if status not in (409, 429) and status < 500:
        return None
    after = _seconds(retry_after)
    return _backoff(tried) if after is None else after


def _seconds(retry_after: Optional[str]) -> Optional[float]:
    """Retry-After is a number of seconds or a date (RFC 9110, 10.2.3)."""
    if retry_after is None:
        return None
    if retry_after.strip().isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _backoff(tried: int) -> float:
    """Doubles each time, with full jitter: clients that failed together do not come back together."""
    return random.uniform(0, FIRST_PAUSE_SECONDS * 2**tried)
