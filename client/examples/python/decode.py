"""Decodes VINs with a Marque service, using the standard library alone.

    MARQUE_URL=http://127.0.0.1:8080 MARQUE_KEY=mq_live_... python3 decode.py 1HGCM82633A004352

Prints one JSON object a line: the report, or the VIN and what went wrong. Python 3.9 or newer.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

TRIES = 5
LONGEST_PAUSE_SECONDS = 60


class Refused(Exception):
    """The service refused; the text is its own sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def decode(vin: str, base_url: str, api_key: str | None = None) -> dict:
    """Decodes one VIN; waits while it is looked up, tries again where that helps. Charged once."""
    headers = {
        "Content-Type": "application/json",
        # All tries are one request: an answer that was lost on the way is given again and not charged again.
        "Idempotency-Key": uuid.uuid4().hex,
    }
    if api_key:
        headers["x-api-key"] = api_key
    body = json.dumps({"vin": vin}).encode()
    for tried in range(1, TRIES + 1):
        request = urllib.request.Request(f"{base_url}/api/decode", body, headers, method="POST")
        status, answer, retry_after = _send(request)
        if status == 200:
            return answer
        pause = _pause(status, retry_after, tried)
        if pause is None or tried == TRIES:
            raise Refused(status, answer.get("error", "The VIN is still being looked up. Ask again later."))
        time.sleep(pause)
    raise AssertionError("unreachable")


def _send(request: urllib.request.Request) -> tuple[int, dict, str | None]:
    """Status, body and Retry-After; status 0 where there was no answer."""
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response), response.headers.get("Retry-After")
    except urllib.error.HTTPError as error:
        with error:
            try:
                answer = json.load(error)
            except ValueError:
                answer = {"error": f"The service answered with {error.code}."}
            return error.code, answer, error.headers.get("Retry-After")
    except OSError as error:
        return 0, {"error": f"The service cannot be reached: {error}"}, None


def _pause(status: int, retry_after: str | None, tried: int) -> float | None:
    """Seconds until another try may help; None: it will not."""
    if retry_after is not None and retry_after.isdigit():
        seconds = int(retry_after)
        return seconds if seconds <= LONGEST_PAUSE_SECONDS else None
    if status in (0, 408, 409) or status >= 500:
        return 0.25 * 2 ** (tried - 1) * random.uniform(0.5, 1)
    return None


def main() -> int:
    base_url = os.environ.get("MARQUE_URL", "http://127.0.0.1:8080").rstrip("/")
    failed = 0
    for vin in sys.argv[1:]:
        try:
            line = decode(vin, base_url, os.environ.get("MARQUE_KEY"))["report"]
        except Refused as error:
            failed += 1
            line = {"vin": vin, "error": str(error)}
        print(json.dumps(line, ensure_ascii=False), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
