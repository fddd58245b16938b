"""Runs against the real service that MARQUE_URL names, and against MARQUE_BAD_LINE, which loses and refuses requests."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from marque_client import (  # noqa: E402
    ConnectionFailedError,
    InvalidRequestError,
    LimitReachedError,
    Marque,
    NotAuthorizedError,
    StillPendingError,
    UnavailableError,
    transport,
)

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


@contextmanager
def sending(pieces: Iterable[bytes]) -> Iterator[str]:
    """Sends the same bytes to every request, whatever they are, and hangs up."""
    left = list(pieces)

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            try:
                for piece in left:
                    self.request.sendall(piece)
                    time.sleep(0.02 if len(piece) == 1 else 0)
                # Bytes of the request that are not read would reset the connection.
                self.request.shutdown(socket.SHUT_WR)
                while self.request.recv(65536):
                    pass
            except OSError:
                pass

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@contextmanager
def replying(replies: List[bytes], keys: List[Optional[str]]) -> Iterator[str]:
    """Takes the next reply for each request, hangs up, and keeps the keys of the requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers["Idempotency-Key"])
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.wfile.write(replies.pop(0))

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def http(body: bytes, status: str = "200 OK", header: bytes = b"") -> bytes:
    return b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status.encode(), header, len(body), body)


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.marque = Marque(URL, KEY)

    def remaining(self) -> int:
        return self.marque.decode(VIN, idempotency_key="the-one-that-counts")["usage"]["remaining"] or 0

    def test_decodes_at_the_depth_of_the_key(self) -> None:
        report = self.marque.decode(VIN)["report"]
        self.assertEqual(report["model"], "Accord")
        self.assertIn("Marysville", report["plant"])

    def test_a_key_from_a_file_keeps_no_line_end_and_no_refusal_shows_a_secret(self) -> None:
        self.assertIsNotNone(Marque(URL, KEY + "\r\n").usage())
        for key in ("mq_live_SEC\nRET", "mq_live_SEC RET", "mq_live_SECRET\u20ac", "mq_live_SECRET\0", "\ufeffmq_live_SECRET"):
            with self.assertRaisesRegex(ValueError, "^api_key must consist of visible ASCII characters$"):
                Marque(URL, key)
        for url in ("http://u:SECRET@vin.example", "http://u:SEC#RET@vin.example", "http://u:SECRET\u2100@vin.example"):
            with self.assertRaisesRegex(ValueError, "^base_url must be a URL like https://vin.example, without "):
                Marque(url)

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

    def test_what_is_no_answer_of_the_service_is_a_failed_connection(self) -> None:
        bodies = [b"", b"null", b'"decoded"', b'{"report":', b"[" * 200_000, b'{"a":"\xff"}', b'{"results":null}', b'{"results":[null]}',
                  b'{"results":[]}', b'{"results":[{},{}]}']
        whole = [http(body) for body in bodies]
        cut = [http(b'{"results":[]}')[:-1], http(b"Bad", "500 Bad")[:-1], b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"]
        for answer in whole + cut:
            with self.subTest(answer[:80]), sending([answer]) as url, self.assertRaises(ConnectionFailedError):
                list(Marque(url, KEY, retries=0).decode_many([VIN]))
        for body in (b'{"vin":"a"}\nnull\n', b'{"vin":"a"}\n{"vin":', b'{"vin":"a"}\n\xff\n'):
            with self.subTest(body), sending([http(body)]) as url:
                results = Marque(url, KEY).job_results("j")
                self.assertEqual(next(results)["vin"], "a")
                self.assertRaises(ConnectionFailedError, next, results)
        with sending([http(b"{}")]) as url, self.assertRaises(ConnectionFailedError):
            Marque(url, KEY).finished_job("j")

    def test_an_answer_that_is_cut_off_at_any_byte_is_asked_for_again_with_the_same_key(self) -> None:
        kind = b"Content-Type: application/json\r\n"
        decode, job = http(b'{"vin":"a"}', header=kind), http(b'{"id":"j"}', "202 Accepted", kind)
        batch = http(b'{"results":[{"vin":"a"}]}', header=kind)
        lines = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"vin\":\"a\"}\n\r\n0\r\n\r\n"
        calls: List[Tuple[bytes, Callable[[Marque], Any], bytes]] = [
            (decode, lambda marque: marque.decode("a"), decode),
            (decode, lambda marque: marque.decode("a"), http(b"{}", "429 Busy", b"Retry-After: 0\r\n")),
            (batch, lambda marque: list(marque.decode_many(["a"])), batch),
            (job, lambda marque: marque.create_job(["a"]), job),
            (job, lambda marque: marque.job("j"), job),
            (lines, lambda marque: list(marque.job_results("j")), lines[:-4]),
        ]
        replies: List[bytes] = []
        keys: List[Optional[str]] = []
        with replying(replies, keys) as url, mock.patch.object(transport, "FIRST_PAUSE_SECONDS", 0):
            marque = Marque(url, KEY)
            for whole, call, first in calls:
                replies[:] = [whole]
                expected = call(marque)
                for end in range(len(first)):
                    keys.clear()
                    replies[:] = [first[:end], whole]
                    with self.subTest(first[:end]):
                        self.assertEqual(call(marque), expected)
                        self.assertEqual((len(keys), len(set(keys))), (2, 1))
            for html in (b"Content-Type: text/html\r\n", b""):
                replies[:] = [http(b"<p>Sign in", header=html), decode]
                with self.subTest(html), self.assertRaisesRegex(ConnectionFailedError, "Check base_url"):
                    marque.decode("a")
                self.assertEqual(replies, [decode])

    def test_only_a_time_that_the_service_names_is_too_long_to_wait(self) -> None:
        replies: List[bytes] = []
        keys: List[Optional[str]] = []
        with replying(replies, keys) as url, mock.patch.object(transport, "FIRST_PAUSE_SECONDS", 1e9):
            for longest, header, attempts in ((0.001, b"", 5), (0, b"", 5), (0, b"Retry-After: 0\r\n", 5), (0.9, b"Retry-After: 1\r\n", 1)):
                keys.clear()
                replies[:] = [http(b"{}", "503 Busy", header)] * 5
                with self.subTest((longest, header)), self.assertRaises(UnavailableError):
                    Marque(url, KEY, retries=4, longest_pause_seconds=longest).decode("a")
                with self.subTest((longest, header)):
                    self.assertEqual(len(keys), attempts)

    def test_an_answer_without_an_end_or_in_drops_is_given_up(self) -> None:
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        for pieces in ([head, *[b" " * 1024 * 1024] * 65, b"{}"], [head, *[b" "] * 200, b"{}"]):
            with self.subTest(len(pieces)), sending(pieces) as url, self.assertRaises(ConnectionFailedError):
                Marque(url, KEY, retries=0, timeout_seconds=1 if len(pieces) > 100 else 30).decode(VIN)

    def test_what_comes_before_an_answer_in_drops_or_without_an_end_is_given_up(self) -> None:
        head, drops = b"HTTP/1.1 200 OK\r\n", [b"1"] * 200
        chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
        before = [
            [b"HTTP/1.1 200 ", *drops],
            [head, *[b"A: b\r\n", b"C"] * 60, *drops],
            [bytes([byte]) for byte in b"HTTP/1.1 100 Continue\r\n\r\n" * 8],
            [b"HTTP/1.1 100 Continue\r\n\r\n"] * 3_000_000,
            [chunked, b"2;", *drops],
            [chunked, b"2\r\n{}\r\n0\r\nA: ", *drops],
        ]
        for pieces in before:
            with self.subTest(pieces[:2]), sending(pieces) as url, self.assertRaisesRegex(ConnectionFailedError, "in time|timed out"):
                Marque(url, KEY, retries=0, timeout_seconds=0.5).decode(VIN)

    def test_results_of_a_job_without_an_end_or_in_drops_are_given_up(self) -> None:
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        with mock.patch.multiple(transport, MOST_BYTES_OF_RESULTS=1_000_000, MOST_SECONDS_OF_RESULTS=0):
            for pieces in ([head, *[b" " * 1024 * 1024] * 3], [head, *[b" "] * 200]):
                with self.subTest(len(pieces)), sending(pieces) as url, self.assertRaises(ConnectionFailedError):
                    list(Marque(url, KEY, retries=0, timeout_seconds=1 if len(pieces) > 100 else 30).job_results("j"))

    def test_odd_headers_and_pauses_are_read_as_none(self) -> None:
        for after in (b"\xb2", b"soon", b"-1", b"Fri, 31 Dec 9999 23:59:59 -2359", b"9" * 400):
            refusal = http(b"{}", "503 Busy", b"Retry-After: " + after + b"\r\n")
            with self.subTest(after), sending([refusal]) as url, self.assertRaises(UnavailableError):
                Marque(url, KEY, retries=1).decode(VIN)
        for after in (b'"soon"', b"null", b"[]", b"1" + b"0" * 400):
            pending = http(b'{"status":"enrichment_pending","retryAfterSeconds":%s}' % after, "202 Accepted")
            with self.subTest(after), sending([pending]) as url, self.assertRaises(StillPendingError):
                Marque(url, KEY).decode(VIN, wait_seconds=0)
        with sending([http(b"", "302 Found", b"Location: http://[\r\n")]) as url, self.assertRaises(InvalidRequestError):
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
