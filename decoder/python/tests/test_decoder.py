"""Runs the package as built by `npm run python`, with the Node on the path."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

SOURCES = str(Path(__file__).resolve().parents[1] / "src")
sys.path.insert(0, SOURCES)

from marque_decoder import Decoder, DecoderError, InvalidVinError, NodeNotFoundError  # noqa: E402

ACCORD = "1HGCM82633A004352"
"""Every VIN of the tests differs in its serial number alone."""


def vins(count: int) -> list[str]:
    return [f"WVWZZZ1KZ6W{serial:06}" for serial in range(count)]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def processes_of(decoder: Decoder) -> list[int]:
    """The processes that are idle now."""
    found = [decoder._idle.get_nowait() for _ in range(decoder._idle.qsize())]
    for worker in found:
        decoder._idle.put(worker)
    return [worker._process.pid for worker in found]


class DecoderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.decoder = Decoder(workers=2)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.decoder.close()

    def test_a_vin_gives_the_whole_report(self) -> None:
        report = self.decoder.decode("1hgcm-82633 a004352")
        self.assertEqual((report["vin"], report["model"], report["modelYear"]), (ACCORD, "Accord", "2003"))
        self.assertEqual(report["specs"]["fuelType"], "Gasoline")

    def test_what_is_no_vin_is_an_error_with_what_to_change(self) -> None:
        with self.assertRaisesRegex(InvalidVinError, "this one has 3"):
            self.decoder.decode("ABC")

    def test_rows_come_in_order_and_an_error_stands_in_its_row(self) -> None:
        many = vins(9_000)
        many[4_321] = "no VIN"
        rows = list(self.decoder.decode_many(many))
        self.assertEqual([row["vin"] for row in rows], many)
        self.assertEqual([place for place, row in enumerate(rows) if "error" in row], [4_321])
        self.assertEqual(rows[8_999], self.decoder.decode(many[8_999]))

    def test_flat_rows_have_the_values_of_the_whole_report(self) -> None:
        many = [*vins(3), ACCORD, "", "x" * 1_000_000, None]
        fields = ["model", "specs.fuelType", "modelYear", "validFormat"]
        rows = list(self.decoder.decode_many(many, fields))
        self.assertEqual([list(row) for row in rows], [["vin", *fields, "error"]] * len(many))
        whole = self.decoder.decode(ACCORD)
        flat = (whole["model"], whole["specs"]["fuelType"], int(whole["modelYear"]), True)
        self.assertEqual(tuple(rows[3][name] for name in fields), flat)
        self.assertRegex(rows[4]["error"], "The VIN is empty")
        self.assertRegex(rows[5]["error"], "has more than 256")
        self.assertRegex(rows[6]["error"], "The VIN is empty")

    def test_a_field_that_is_none_is_named_with_those_there_are(self) -> None:
        with self.assertRaisesRegex(ValueError, "no field 'power'. There are: .*specs.powerKw"):
            self.decoder.decode_many([ACCORD], ["power"])

    def test_no_more_is_taken_than_is_under_way(self) -> None:
        taken = itertools.count()
        endless = (vin for vin in itertools.cycle(vins(100)) if next(taken) >= 0)
        rows = self.decoder.decode_many(endless)
        self.assertEqual(len(list(itertools.islice(rows, 10_000))), 10_000)
        self.assertLess(next(taken), 20_001)

    def test_vins_that_another_catalog_decodes_otherwise_are_found(self) -> None:
        many = [*vins(3_000), ACCORD, "no VIN", *vins(3_000)]
        with tempfile.TemporaryDirectory() as folder:
            older = Path(folder) / "older.catalog"
            content = self.decoder.catalog_file.read_bytes()[:-40].replace(b"Accord", b"Akkord")
            older.write_bytes(content + b"MARQUEsh" + hashlib.sha256(content).digest())
            with Decoder(catalog=older) as before, Decoder(catalog=older, workers=1) as same:
                self.assertEqual(before.decode(ACCORD)["model"], "Akkord")
                changed = list(self.decoder.changed(many, before))
                self.assertEqual([place for place, is_changed in enumerate(changed) if is_changed], [3_000])
                self.assertEqual(len(changed), len(many))
                self.assertFalse(any(self.decoder.changed(many, before, ["modelYear"])))
                self.assertFalse(any(same.changed(many, before)))
        with Decoder(catalog="/nowhere/a.catalog") as missing:
            with self.assertRaisesRegex(DecoderError, "cannot be opened.*/nowhere/a.catalog"):
                list(self.decoder.changed([ACCORD], missing))

    def test_model_years_end_with_the_year_to_decode_in(self) -> None:
        # J is 1988 and 2018. Seen from 2013, only the first one can be, and no Octavia was built near it.
        octavia = "TMBAC2NEXJB009810"
        with Decoder(workers=1, year=2013) as then, Decoder(workers=1, year=2026) as now:
            self.assertEqual([one.decode(octavia).get("modelYear") for one in (then, now)], [None, "2018"])
            self.assertEqual(list(now.changed([octavia], then, ["modelYear", "wmi"])), [True])
            self.assertEqual(list(now.changed([octavia], then, ["wmi"])), [False])

    def test_candidates_are_narrowed_by_hints(self) -> None:
        masked = "WVWZZZ1KZCA******"
        engines = self.decoder.candidates(masked)["engines"]
        diesels = self.decoder.candidates(masked, {"fuelType": "diesel"})["engines"]
        self.assertTrue(0 < len(diesels) < len(engines))
        self.assertEqual({engine["fuelType"] for engine in diesels}, {"Diesel"})
        with self.assertRaises(InvalidVinError):
            self.decoder.candidates("WVW")
        with self.assertRaisesRegex(InvalidVinError, "powerKw"):
            self.decoder.candidates(masked, {"powerKw": "much"})
        with self.assertRaisesRegex(InvalidVinError, "powerKw is nan"):
            self.decoder.candidates(masked, {"powerKw": float("nan")})
        for value, kind in (([float("nan")], "list"), ({1}, "set"), (10**5_000, "int")):
            with self.assertRaisesRegex(InvalidVinError, f"powerKw is of the type {kind}"):
                self.decoder.candidates(masked, {"powerKw": value})

    def test_a_hint_may_be_the_number_of_a_cell_as_numpy_has_it(self) -> None:
        class Cell:
            ndim = 0

            def item(self) -> str:
                return "diesel"

        masked = "WVWZZZ1KZCA******"
        self.assertEqual(
            self.decoder.candidates(masked, {"fuelType": Cell()}),
            self.decoder.candidates(masked, {"fuelType": "diesel"}),
        )

    def test_threads_share_a_decoder(self) -> None:
        many = vins(200)
        wrong: list[str] = []

        def decode_all() -> None:
            wrong.extend(vin for vin in many if self.decoder.decode(vin)["vin"] != vin)

        threads = [threading.Thread(target=decode_all) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_forked_process_decodes_with_processes_of_its_own(self) -> None:
        self.decoder.decode(ACCORD)
        child = os.fork()
        if child == 0:
            models = {row["model"] for row in self.decoder.decode_many(vins(5_000), ["model"])}
            os._exit(0 if models == {"Golf"} else 1)
        rows = list(self.decoder.decode_many(vins(5_000)))
        self.assertEqual([row["vin"] for row in rows], vins(5_000))
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_copies_in_another_process_share_its_processes(self) -> None:
        program = f"""
import pickle, sys
sys.path.insert(0, {SOURCES!r})
first, second, other = (pickle.loads(copy) for copy in pickle.load(sys.stdin.buffer))
print(first is second, first is other, second.decode({ACCORD!r})["model"], first._idle.qsize(), other._workers)
first.close()
print(pickle.loads(pickle.dumps(second)).decode({ACCORD!r})["model"])
"""
        with Decoder(workers=3) as other:
            copies = [pickle.dumps(decoder) for decoder in (self.decoder, self.decoder, other)]
        printed = subprocess.run(
            [sys.executable, "-c", program], input=pickle.dumps(copies), stdout=subprocess.PIPE, check=True
        ).stdout.decode()
        self.assertEqual(printed.splitlines(), ["True False Accord 1 3", "Accord"])

    def test_the_frame_must_have_the_column(self) -> None:
        class Frame:
            columns = ("chassis",)

        with self.assertRaisesRegex(ValueError, "no column 'vin'. It has: chassis"):
            self.decoder.decode_frame(Frame())


class ProcessesTest(unittest.TestCase):
    def test_work_of_a_killed_process_is_done_by_another(self) -> None:
        many = vins(40_000)
        with Decoder(workers=2) as decoder:
            rows = decoder.decode_many(many, ["model"])
            begun = list(itertools.islice(rows, 10))
            for pid in processes_of(decoder):
                os.kill(pid, signal.SIGKILL)
            self.assertEqual([row["vin"] for row in [*begun, *rows]], many)

    def test_processes_end_when_the_decoder_is_closed(self) -> None:
        with Decoder(workers=1) as decoder:
            decoder.decode(ACCORD)
            (pid,) = processes_of(decoder)
        self.assertFalse(is_running(pid))
        with self.assertRaisesRegex(DecoderError, "closed"):
            decoder.decode(ACCORD)

    def test_processes_end_with_a_parent_that_is_killed(self) -> None:
        program = f"""
import sys, time
sys.path.insert(0, {SOURCES!r})
from marque_decoder import Decoder
decoder = Decoder(workers=1)
decoder.decode({ACCORD!r})
print(decoder._idle.get_nowait()._process.pid, flush=True)
time.sleep(600)
"""
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout is not None
            pid = int(parent.stdout.readline())
            self.assertTrue(is_running(pid))
            parent.kill()
        while is_running(pid):
            time.sleep(0.01)

    def test_a_node_that_is_missing_or_too_old_is_an_error_that_says_so(self) -> None:
        with self.assertRaisesRegex(NodeNotFoundError, "no Node at /nowhere/node"):
            Decoder(node="/nowhere/node")
        with tempfile.TemporaryDirectory() as folder:
            old = Path(folder) / "node"
            old.write_text("#!/bin/sh\necho v18.20.0\n")
            old.chmod(0o755)
            with Decoder(node=old) as decoder, self.assertRaisesRegex(NodeNotFoundError, "v18.20.0; version 20"):
                decoder.decode(ACCORD)

    def test_a_catalog_whose_bytes_were_changed_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            changed = Path(folder) / "changed.catalog"
            with Decoder(workers=1) as whole, Decoder(catalog=changed, workers=1) as decoder:
                changed.write_bytes(whole.catalog_file.read_bytes().replace(b"Accord", b"Akkord"))
                with self.assertRaisesRegex(DecoderError, "was changed or is damaged"):
                    decoder.decode(ACCORD)
                with self.assertRaisesRegex(DecoderError, "was changed or is damaged"):
                    list(whole.changed([ACCORD], decoder))
                cut = whole.catalog_file.read_bytes()[:-1]
                for damaged in (cut, gzip.compress(cut, 1)):
                    changed.write_bytes(damaged)
                    with self.assertRaisesRegex(DecoderError, "was changed or is damaged"):
                        decoder.decode(ACCORD)
                changed.write_bytes(gzip.compress(whole.catalog_file.read_bytes(), 1))
                self.assertEqual(decoder.decode(ACCORD), whole.decode(ACCORD))

    def test_a_year_that_is_none_is_refused(self) -> None:
        for year in ("2026", float("nan"), -1, 10**30):
            with self.assertRaisesRegex(ValueError, "give a whole number"):
                Decoder(year=year)

    def test_a_catalog_that_is_none_is_an_error_that_names_it(self) -> None:
        with Decoder(catalog="/nowhere/last-month.catalog") as decoder:
            with self.assertRaisesRegex(DecoderError, "no catalog at /nowhere/last-month.catalog"):
                decoder.decode(ACCORD)
        with Decoder(catalog=__file__) as decoder, self.assertRaisesRegex(DecoderError, "cannot open the catalog"):
            decoder.decode(ACCORD)


if __name__ == "__main__":
    unittest.main()
