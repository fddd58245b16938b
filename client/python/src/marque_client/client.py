"""The client."""

from __future__ import annotations

import json
import re
import time
import urllib.parse
import urllib.request
import uuid
from itertools import islice
from typing import Any, Iterable, Iterator, List, Optional, Tuple, cast

from .errors import ConnectionFailedError, MarqueError, StillPendingError
from .transport import Retries, ask, ask_lines, object_of
from .types import (
    BatchResult,
    Candidates,
    Decode,
    Hints,
    Job,
    OwnReports,
    Usage,
    VinCheck,
    WrongDecode,
    WrongDecodeSaved,
)

MOST_VINS = 1000
"""VINs that the service takes in one batch with a key."""

MOST_VINS_PUBLIC = 10
"""VINs that the service takes in one batch without a key."""

VISIBLE_ASCII = re.compile("[!-~]*")
PENDING = "enrichment_pending"
JOB_POLL_SECONDS = 1


class Marque:
    """A client of one service. Stateless, so threads may share it."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        retries: int = 4,
        longest_pause_seconds: float = 30,
        timeout_seconds: float = 30,
    ) -> None:
        # These messages leave out what was given: a log may keep them.
        if not base_url.lower().startswith(("http://", "https://")) or "@" in base_url:
            raise ValueError("base_url must be a URL like https://vin.example, without a user and a password")
        self._base_url = base_url.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if api_key is not None:
            key = api_key.strip()
            if not VISIBLE_ASCII.fullmatch(key):
                raise ValueError("api_key must consist of visible ASCII characters")
            self._headers["x-api-key"] = key
        self._most_vins = MOST_VINS_PUBLIC if api_key is None else MOST_VINS
        self._retries = Retries(retries, longest_pause_seconds, timeout_seconds)

    def decode(self, vin: str, *, wait_seconds: float = 60, idempotency_key: Optional[str] = None) -> Decode:
        """Decodes a VIN, and waits if it is looked up elsewhere. Charged once, however often it is retried."""
        key = idempotency_key or uuid.uuid4().hex
        deadline = time.monotonic() + wait_seconds
        while True:
            status, answer = self._post("/api/decode", {"vin": vin}, key)
            if status != 202:
                return cast(Decode, answer)
            pause = _pause_seconds(answer)
            if time.monotonic() + pause > deadline:
                raise StillPendingError(vin, pause)
            time.sleep(pause)

    def decode_many(
        self, vins: Iterable[str], *, batch_size: Optional[int] = None, wait_seconds: float = 60
    ) -> Iterator[BatchResult]:
        """
        Decodes any number of VINs, in their order, a request for each `batch_size` of them. An invalid VIN has an
        `error`; one that is still being looked up after `wait_seconds` keeps the status `enrichment_pending`. Every
        charged result is yielded before an error is raised.
        """
        rest = iter(vins)
        while batch := list(islice(rest, batch_size or self._most_vins)):
            yield from self._batch_until_settled(batch, wait_seconds)

    def candidates(self, vin: str, hints: Optional[Hints] = None) -> Candidates:
        """
        Lists what a VIN leaves open, and narrows it down by what else is known about the vehicle. Takes masked VINs too: 11
        to 17 characters, `*` for each unknown one. Charged like a decode, once a day for each VIN.
        """
        _, answer = self._post("/api/decode/candidates", {"vin": vin, "hints": hints or {}}, uuid.uuid4().hex)
        return cast(Candidates, answer)

    def create_job(self, vins: Iterable[str], *, idempotency_key: Optional[str] = None) -> Job:
        """Creates a job that decodes up to 200,000 VINs in the background. Only decoded VINs are charged."""
        _, answer = self._post("/api/jobs", {"vins": list(vins)}, idempotency_key or uuid.uuid4().hex)
        return cast(Job, answer)

    def job(self, job_id: str) -> Job:
        """The state of a job. Free."""
        return cast(Job, self._get(_job_path(job_id)))

    def finished_job(self, job_id: str) -> Job:
        """Waits until a job is completed or stopped at the monthly limit."""
        while True:
            job = self.job(job_id)
            if "status" not in job:
                raise ConnectionFailedError("The server did not answer with a job. Check base_url.")
            if job["status"] in ("completed", "stopped"):
                return job
            time.sleep(JOB_POLL_SECONDS)

    def resume_job(self, job_id: str) -> Job:
        """Resumes a job that stopped at the monthly limit."""
        return cast(Job, self._post(_job_path(job_id) + "/resume", {}, uuid.uuid4().hex)[1])

    def job_results(self, job_id: str) -> Iterator[BatchResult]:
        """The results of a job so far, in the order of its VINs."""
        request = urllib.request.Request(self._base_url + _job_path(job_id) + "/results", headers=self._headers)
        for line in ask_lines(request, self._retries):
            if line:
                yield cast(BatchResult, object_of(line))

    def check(self, vin: str) -> VinCheck:
        """Checks a VIN: whether it is valid, what is wrong, and which VINs were likely meant. Free."""
        return cast(VinCheck, self._get(f"/api/vin/{urllib.parse.quote(vin, safe='')}"))

    def usage(self) -> Usage:
        """Usage of the key's workspace. Free."""
        return cast(Usage, self._get("/api/usage"))

    def report(self, wrong: WrongDecode, *, idempotency_key: Optional[str] = None) -> WrongDecodeSaved:
        """Reports a wrong decode for review. Free."""
        _, answer = self._post("/api/report-decode-issue", wrong, idempotency_key or uuid.uuid4().hex)
        return cast(WrongDecodeSaved, answer)

    def reports(self, *, after: Optional[str] = None) -> OwnReports:
        """The workspace's own reports, newest first. Pass a page's `next` as `after` for the next page."""
        query = "" if after is None else "?" + urllib.parse.urlencode({"after": after})
        return cast(OwnReports, self._get(f"/api/reports{query}"))

    def _batch_until_settled(self, vins: List[str], wait_seconds: float) -> Iterator[BatchResult]:
        deadline = time.monotonic() + wait_seconds
        results = self._batch(vins)
        try:
            while True:
                pending = [index for index, result in enumerate(results) if result.get("status") == PENDING]
                pause = max((_pause_seconds(results[index]) for index in pending), default=0.0)
                if not pending or time.monotonic() + pause > deadline:
                    break
                time.sleep(pause)
                for index, result in zip(pending, self._batch([vins[index] for index in pending])):
                    results[index] = result
        except MarqueError:
            # The others are charged already.
            yield from results
            raise
        yield from results

    def _batch(self, vins: List[str]) -> List[BatchResult]:
        _, answer = self._post("/api/decode/batch", {"vins": vins}, uuid.uuid4().hex)
        results = answer.get("results")
        if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
            raise ConnectionFailedError("The server did not answer with results. Check base_url.")
        if len(results) != len(vins):
            raise ConnectionFailedError(f"The server gave {len(results)} results for {len(vins)} VINs. Check base_url.")
        return cast(List[BatchResult], results)

    def _get(self, path: str) -> Any:
        return ask(urllib.request.Request(self._base_url + path, headers=self._headers), self._retries)[1]

    def _post(self, path: str, body: Any, idempotency_key: str) -> Tuple[int, Any]:
        headers = {**self._headers, "Content-Type": "application/json", "Idempotency-Key": idempotency_key}
        data = json.dumps(body).encode()
        return ask(urllib.request.Request(self._base_url + path, data, headers, method="POST"), self._retries)


def _job_path(job_id: str) -> str:
    return f"/api/jobs/{urllib.parse.quote(job_id, safe='')}"


def _pause_seconds(answer: Any) -> float:
    """The seconds to wait before asking again: at least one, whatever the service says."""
    try:
        return max(1.0, float(answer.get("retryAfterSeconds", 1)))
    except (TypeError, ValueError, OverflowError):
        return 1.0
