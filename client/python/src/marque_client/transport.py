"""Requests that are retried when that helps."""

from __future__ import annotations

import http.client
import io
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
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


class _Deadline:
    """When an answer must have been read. The timeout of a socket is for each read: headers in drops would never end."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._at = time.monotonic() + timeout

    def extend(self, seconds: float) -> None:
        self._at += seconds

    def seconds(self) -> float:
        """Seconds that the next read may take."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise TimeoutError("The answer did not end in time.")
        return min(left, self._timeout)


class _Reading(io.RawIOBase):
    """The bytes of a socket until a deadline."""

    def __init__(self, stream: io.RawIOBase, sock: socket.socket, deadline: _Deadline) -> None:
        super().__init__()
        self._stream, self._sock, self._deadline = stream, sock, deadline
        self.may_end = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._deadline.seconds())
        size = self._stream.readinto(buffer)
        if size == 0 and not self.may_end:
            raise http.client.RemoteDisconnected("The answer ended within its headers.")
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer whose headers are whole. http.client takes the end of a connection for theirs."""

    def __init__(self, deadline: _Deadline, sock: socket.socket, *args: Any, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self._reading = _Reading(self.fp.detach(), sock, deadline)
        self.fp = io.BufferedReader(self._reading)

    def begin(self) -> None:
        super().begin()
        self._reading.may_end = True


class _ByDeadline(urllib.request.AbstractHTTPHandler):
    """Gives each connection the deadline of its request."""

    def do_open(self, http_class: Any, req: Any, **named: Any) -> Any:
        def connection_to(*args: Any, **more: Any) -> http.client.HTTPConnection:
            connection: http.client.HTTPConnection = http_class(*args, **more)
            connection.response_class = partial(_Response, req.deadline)  # type: ignore[assignment]
            return connection

        return super().do_open(connection_to, req, **named)  # type: ignore[arg-type]


class _Http(_ByDeadline, urllib.request.HTTPHandler):
    pass


class _Https(_ByDeadline, urllib.request.HTTPSHandler):
    pass


_OPENER = urllib.request.build_opener(_NoRedirect, _Http, _Https)


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
            pause: Optional[float] = _backoff(tried, retries)
        else:
            if 200 <= status < 300:
                return status, content
            failure = refusal_of(status, _json_in(content))
            pause = _pause_after(status, headers.get("Retry-After"), tried, retries)
        if pause is None or tried == retries.retries:
            raise failure
        time.sleep(pause)
    raise AssertionError("unreachable")


def _send(request: urllib.request.Request, timeout: float, is_results: bool) -> Tuple[int, bytes, Mapping[str, str]]:
    deadline = _Deadline(timeout)
    request.deadline = deadline  # type: ignore[attr-defined]
    try:
        with _OPENER.open(request, timeout=timeout) as response:
            if is_results:
                deadline.extend(MOST_SECONDS_OF_RESULTS)
            content = _read(response, MOST_BYTES_OF_RESULTS if is_results else MOST_BYTES)
            return response.status, content, response.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _read(error.fp, MOST_BYTES), error.headers


def _read(response: Any, most_bytes: int) -> bytes:
    """Reads an answer to its end."""
    pieces: List[bytes] = []
    size = 0
    while piece := response.read1(PIECE_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > most_bytes:
            raise ConnectionFailedError("The answer is longer than any of the service.")
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


def _pause_after(status: int, retry_after: Optional[str], tried: int, retries: Retries) -> Optional[float]:
    """Seconds to wait before the next attempt; None: do not retry."""
    if status == 429 and retry_after is None:
        return None
    if status not in (409, 429) and status < 500:
        return None
    after = _seconds(retry_after)
    if after is None:
        return _backoff(tried, retries)
    return after if after <= retries.longest_pause_seconds else None


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


def _backoff(tried: int, retries: Retries) -> float:
    """Doubles each time, with full jitter: clients that failed together do not come back together."""
    doubled = FIRST_PAUSE_SECONDS * 2 ** min(tried, 64)
    return random.uniform(0, max(0, min(doubled, retries.longest_pause_seconds)))
