"""Runs against the real service that MARQUE_URL names, and against MARQUE_BAD_LINE, which loses and refuses requests."""

from __future__ import annotations

import json
import os
import sys
import threading
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Iterator, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from marque_client import ConnectionFailedError, InvalidRequestError, LimitReachedError, Marque, NotAuthorizedError  # noqa: E402

URL = os.environ["MARQUE_URL"]
BAD_LINE = os.environ["MARQUE_BAD_LINE"]
KEY = os.environ["MARQUE_KEY"]
SMALL_KEY = os.environ["MARQUE_SMALL_KEY"]
VIN = "1HGCM82633A004352"


@contextmanager
def answering(*answers: Tuple[int, str]) -> Iterator[str]:
    """Serves answers in their order."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            status, body = left.pop(0)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.marque = Marque(URL, KEY)

    def remaining(self) -> int:
        return self.marque.decode(VIN, idempotency_key="the-one-that-counts")["usage"]["remaining"] or 0

    def test_decodes_at_the_depth_of_the_key(self) -> None:
        report = self.marque.decode(VIN)["report"]
        self.assertEqual(report["model"], "Accord")
        self.assertIn("Marysville", report["plant"])

    def test_a_lost_answer_and_a_busy_service_are_tried_again_and_charged_once(self) -> None:
        before = self.marque.decode(VIN)["usage"]["remaining"]
        answer = Marque(BAD_LINE, KEY).decode(VIN)
        self.assertEqual(answer["usage"]["remaining"], (before or 0) - 1)

    def test_a_repeated_idempotency_key_is_charged_once(self) -> None:
        first = self.marque.decode(VIN, idempotency_key="python-1")
        self.assertEqual(self.marque.decode(VIN, idempotency_key="python-1"), first)

    def test_a_batch_keeps_its_order_and_marks_what_is_no_vin(self) -> None:
        results = list(self.marque.decode_many([VIN, "short", VIN], batch_size=2))
        self.assertEqual([result["vin"] for result in results], [VIN, "short", VIN])
        self.assertIn("17 characters", results[1]["error"])
        self.assertEqual(results[2]["report"]["model"], "Accord")

    def test_a_job_is_decoded_in_the_background_and_gives_its_results_in_order(self) -> None:
        sent = self.marque.create_job([VIN, "no VIN"], idempotency_key="python-job")
        self.assertEqual(self.marque.create_job([VIN, "no VIN"], idempotency_key="python-job")["id"], sent["id"])
        job = self.marque.finished_job(sent["id"])
        self.assertEqual((job["status"], job["vins"], job["charged"]), ("completed", 2, 1))
        results = list(self.marque.job_results(job["id"]))
        self.assertEqual([result["status"] for result in results], ["decoded", "invalid"])
        odd = self.marque.finished_job(self.marque.create_job(["a\u2028b\u0085c"])["id"])
        self.assertEqual([result["status"] for result in self.marque.job_results(odd["id"])], ["invalid"])
        self.assertEqual(self.marque.resume_job(job["id"])["status"], "completed")

    def test_a_batch_is_kept_although_it_is_refused_to_ask_again_for_one_that_is_looked_up(self) -> None:
        first = {"results": [{"vin": "a", "status": "decoded"},
                             {"vin": "b", "status": "enrichment_pending", "retryAfterSeconds": -5}]}
        used_up = {"error": "used up", "limit": 1, "resetAt": "2026-12-01T00:00:00Z"}
        with answering((200, json.dumps(first)), (429, json.dumps(used_up))) as url:
            results = Marque(url, KEY).decode_many(["a", "b"])
            self.assertEqual([next(results)["status"], next(results)["status"]], ["decoded", "enrichment_pending"])
            self.assertRaises(LimitReachedError, next, results)

    def test_a_server_that_does_not_answer_in_json_is_no_service(self) -> None:
        with answering((200, "<p>Sign in")) as url, self.assertRaisesRegex(ConnectionFailedError, "Check base_url"):
            Marque(url, KEY).decode(VIN)

    def test_what_a_vin_leaves_open_is_settled_by_hints(self) -> None:
        plain = self.marque.candidates("WVWZZZ1KZCW")
        self.assertEqual(plain["report"]["manufacturer"], "Volkswagen")
        hinted = self.marque.candidates("WVWZZZ1KZCW", {"fuelType": "Diesel", "powerKw": 77})
        left = [sum(len(field["candidates"]) for field in answer["open"]) for answer in (plain, hinted)]
        self.assertLess(left[1], left[0])

    def test_a_month_that_is_used_up_says_when_the_next_begins(self) -> None:
        small = Marque(URL, SMALL_KEY)
        small.decode(VIN)
        with self.assertRaises(LimitReachedError) as caught:
            small.decode(VIN)
        self.assertEqual(caught.exception.limit, 1)
        self.assertRegex(caught.exception.reset_at or "", r"^\d{4}-\d\d-01T")

    def test_refusals_are_told_apart_in_the_words_of_the_service(self) -> None:
        with self.assertRaisesRegex(InvalidRequestError, "17 characters"):
            self.marque.decode("1HG")
        with self.assertRaises(NotAuthorizedError):
            Marque(URL, "mq_live_" + "x" * 38).decode(VIN)
        with self.assertRaises(ConnectionFailedError):
            Marque("http://127.0.0.1:1", retries=1).decode(VIN)

    def test_checks_reports_and_usage_are_free(self) -> None:
        before = self.remaining()
        self.assertEqual(self.marque.check(VIN)["checkDigit"]["matches"], True)
        self.assertFalse(self.marque.check("1HG")["wellFormed"])
        self.marque.report({"vin": VIN, "expectedManufacturer": "Honda", "expectedModel": "Civic",
                            "expectedBodyStyle": "Coupe", "expectedModelYear": "2003", "note": "It is a Civic."})
        self.assertTrue(self.marque.reports()["reports"])
        self.assertEqual(self.marque.usage()["usage"]["limit"], 1000)
        self.assertEqual(self.remaining(), before)


if __name__ == "__main__":
    unittest.main()
