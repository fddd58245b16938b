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
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .errors import ConnectionFailedError, refusal_of

FIRST_PAUSE_SECONDS = 0.25
MOST_BYTES = 64 * 1024 * 1024
"""The longest answer that is read, several times that of a batch of 1,000."""

MOST_BYTES_OF_RESULTS = 1024 * 1024 * 1024
MOST_SECONDS_OF_RESULTS = 3_600
"""Results of a job may take longer than one timeout: several times those of 200,000 VINs."""

PIECE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Retries:
    """When a client retries, and when it gives up."""

    retries: int
    longest_pause_seconds: float
    timeout_seconds: float


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another server. Where it leads is not even read: it may be no URL."""

    def http_error_302(self, *_: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


_OPENER = urllib.request.build_opener(_NoRedirect)


def ask(request: urllib.request.Request, retries: Retries) -> Tuple[int, Dict[str, Any]]:
    """Sends a request until it is answered. Returns status and body of a success, otherwise raises a `MarqueError`."""
    status, content = _ask(request, retries)
    return status, object_of(content)


def ask_lines(request: urllib.request.Request, retries: Retries) -> List[bytes]:
    """The same for a response of JSON lines."""
    # Not splitlines(), which also splits at other ends of lines within a text.
    return _ask(request, retries, is_results=True)[1].split(b"\n")


def _ask(request: urllib.request.Request, retries: Retries, is_results: bool = False) -> Tuple[int, bytes]:
    for tried in range(retries.retries + 1):
        failure: Exception
        try:
            status, content, headers = _send(request, retries.timeout_seconds, is_results)
        except (OSError, http.client.HTTPException) as error:
            failure = ConnectionFailedError(f"The service at {request.host} could not be reached: {error}")
            failure.__cause__ = error
            pause: Optional[float] = _backoff(tried)
        else:
            if 200 <= status < 300:
                return status, content
            failure = refusal_of(status, _json_in(content))
            pause = _pause_after(status, headers.get("Retry-After"), tried)
        if pause is None or pause > retries.longest_pause_seconds or tried == retries.retries:
            raise failure
        time.sleep(pause)
    raise AssertionError("unreachable")


def _send(request: urllib.request.Request, timeout: float, is_results: bool) -> Tuple[int, bytes, Mapping[str, str]]:
    deadline = time.monotonic() + timeout
    try:
        with _OPENER.open(request, timeout=timeout) as response:
            if is_results:
                deadline += MOST_SECONDS_OF_RESULTS
            content = _read_by(response, deadline, MOST_BYTES_OF_RESULTS if is_results else MOST_BYTES)
            return response.status, content, response.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _read_by(error.fp, deadline, MOST_BYTES), error.headers


def _read_by(response: Any, deadline: float, most_bytes: int) -> bytes:
    """Reads an answer to its end. The timeout of the socket is for each read: an answer in drops would never end."""
    pieces: List[bytes] = []
    size = 0
    while piece := response.read1(PIECE_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > most_bytes:
            raise ConnectionFailedError("The answer is longer than any of the service.")
        if time.monotonic() > deadline:
            raise TimeoutError("The answer did not end in time.")
    # Unlike read(), read1() takes an answer that is cut off for a whole one.
    if response.length:
        raise http.client.IncompleteRead(b"".join(pieces), response.length)
    return b"".join(pieces)


def object_of(content: bytes) -> Dict[str, Any]:
    """Reads a success. What is not an object in JSON comes from another server at this address."""
    answer = _json_in(content)
    if not isinstance(answer, dict):
        raise ConnectionFailedError("The server did not answer in JSON. Check base_url.")
    return answer


def _json_in(content: bytes) -> Any:
    """Reads JSON; None: it is none, or is nested too deeply."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
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
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _backoff(tried: int) -> float:
    """Doubles each time, with full jitter: clients that failed together do not come back together."""
    return random.uniform(0, FIRST_PAUSE_SECONDS * 2**tried)
