"""Needs pandas, polars or both: run it with a Python that has them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from marque_decoder import Decoder  # noqa: E402

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None

UNSETTLED = "WVWZZZ3CZ6E025232"
"""A car whose VIN leaves its body style open."""

VINS = ["1HGCM82633A004352", "hello", None, "WVWZZZ1KZ6W000001"] * 2_000
FIELDS = ["model", "modelYear", "specs.batteryCapacityKwh", "validFormat", "possibleBodyStyles"]


class FramesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.decoder = Decoder()
        self.addCleanup(self.decoder.close)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_a_frame_of_pandas_keeps_its_index_and_gains_typed_columns(self) -> None:
        frame = pandas.DataFrame({"chassis": VINS, "price": 1}, index=range(10, 10 + len(VINS)))
        decoded = self.decoder.decode_frame(frame, "chassis", FIELDS)
        self.assertEqual(list(decoded.columns), ["chassis", "price", *FIELDS, "error", "catalog"])
        self.assertTrue(decoded.index.equals(frame.index))
        types = [str(decoded[name].dtype) for name in FIELDS]
        self.assertEqual(types, ["object", "Int64", "Float64", "boolean", "object"])
        self.assertEqual(decoded["model"].tolist()[-4:], ["Accord", None, None, "Golf"])
        self.assertEqual(int(decoded["modelYear"].iloc[0]), 2003)
        self.assertEqual(int(decoded["error"].notna().sum()), len(VINS) // 2)
        self.assertEqual(set(decoded["catalog"]), {self.decoder.catalog})
        with self.assertRaisesRegex(ValueError, "has a column 'model' already"):
            self.decoder.decode_frame(decoded, "chassis", FIELDS)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_lists_stay_lists_also_where_all_are_equally_long(self) -> None:
        styles = self.decoder.decode(UNSETTLED)["possibleBodyStyles"]
        decoded = self.decoder.decode_frame(pandas.DataFrame({"vin": [UNSETTLED] * 3}), "vin", ["possibleBodyStyles"])
        self.assertEqual(decoded["possibleBodyStyles"].tolist(), [styles] * 3)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_an_empty_frame_gains_the_columns(self) -> None:
        decoded = self.decoder.decode_frame(pandas.DataFrame({"vin": []}))
        self.assertEqual(len(decoded), 0)
        self.assertIn("model", decoded.columns)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_a_frame_of_polars_gains_typed_columns(self) -> None:
        decoded = self.decoder.decode_frame(polars.DataFrame({"vin": VINS}), "vin", FIELDS)
        self.assertEqual(decoded.columns, ["vin", *FIELDS, "error", "catalog"])
        types = [decoded[name].dtype for name in FIELDS]
        self.assertEqual(types, [polars.Utf8, polars.Int64, polars.Float64, polars.Boolean, polars.List(polars.Utf8)])
        self.assertEqual(decoded["model"].to_list()[-4:], ["Accord", None, None, "Golf"])
        styles = self.decoder.decode(UNSETTLED)["possibleBodyStyles"]
        lists = self.decoder.decode_frame(polars.DataFrame({"vin": [UNSETTLED]}), "vin", ["possibleBodyStyles"])
        self.assertEqual(lists["possibleBodyStyles"].to_list(), [styles])


if __name__ == "__main__":
    unittest.main()
