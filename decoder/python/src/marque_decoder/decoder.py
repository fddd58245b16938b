"""The decoder: VIN in, vehicle out, in processes of Node."""

from __future__ import annotations

import json
import os
import queue
import threading
import weakref
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, TypeVar

from .errors import DecoderError, InvalidVinError, WorkerEndedError
from .frames import Columns, add_columns, plain, shown, texts_of
from .worker import PACKAGED_CATALOG, Worker, find_node, refuse_changed

DEFAULT_FIELDS = (
    "manufacturer",
    "model",
    "modelYear",
    "generation",
    "bodyStyleNormalized",
    "specs.fuelType",
    "specs.displacementCc",
    "specs.powerKw",
)
"""The columns of a frame, where none are named."""

_BLOCK = 2_000
"""VINs in one request: enough that requests cost nothing, few enough that a first block is there at once."""

_LONGEST_TEXT = 300
"""No way of writing a VIN needs as much; longer texts are cut, so that a request has a bound."""

_FIRST_YEAR = 1980
_LAST_YEAR = 9999

T = TypeVar("T")


class Decoder:
    """Decodes VINs offline, in processes of Node that start with the first VIN.

    Safe to use from several threads. After a fork the child starts processes of its own. Close it, or use it in a
    ``with`` statement; the processes also end with the program, however that ends. It can be pickled: all copies in
    another process share one set of processes there, which lasts as long as that process.

    Args:
        node: The Node to run (20 or newer). Default: the one on the path.
        workers: How many processes. Default: one for each core.
        catalog: A file that ``marque catalog`` or the package ``@marque/decoder`` gave, so that a table of last month is
            decoded alike again. Default: the catalog of this package.
        year: The year to decode in, so that it is decoded alike again in another year: model years end two years ahead of
            it. Default: this year.
    """

    def __init__(
        self,
        node: str | os.PathLike[str] | None = None,
        workers: int | None = None,
        catalog: str | os.PathLike[str] | None = None,
        year: int | None = None,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"workers is {workers}; at least one is needed.")
        if year is not None and not (isinstance(year, int) and _FIRST_YEAR <= year <= _LAST_YEAR):
            raise ValueError(f"year is {year!r}; give a whole number from {_FIRST_YEAR} to {_LAST_YEAR}.")
        self._given = (node, workers, catalog, year)
        self._node = find_node(node)
        self._catalog = PACKAGED_CATALOG if catalog is None else Path(catalog)
        self._year = year
        self._workers = workers or os.cpu_count() or 1
        self._closed = False
        self._start_empty()
        _all.add(self)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, self._given

    def __del__(self) -> None:
        if not getattr(self, "_closed", True):
            self.close()

    @property
    def catalog(self) -> str:
        """The hash of the catalog: two catalogs with the same hash give the same answers."""
        return str(self._about()["catalog"])

    @property
    def catalog_file(self) -> Path:
        """The file of the catalog: keep it to decode alike again."""
        return self._catalog

    @property
    def fields(self) -> dict[str, str]:
        """The names of all fields of a report, with their kinds: text, number, integer, boolean or list."""
        return {field["name"]: field["kind"] for field in self._about()["fields"]}

    def decode(self, vin: str) -> dict[str, Any]:
        """The report of one VIN: what the VIN does not settle is left out.

        Raises InvalidVinError when the text is no VIN.
        """
        report = self._ask({"kind": "reports", "vins": [_text(vin)]})[0]
        if "error" in report:
            raise InvalidVinError(report["error"])
        return report

    def decode_many(self, vins: Iterable[str], fields: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """The reports of any number of VINs, in their order.

        What is no VIN has an ``error`` in its row; nothing is raised for it. With ``fields`` each row is flat, has ``vin``,
        these fields (None: the VIN does not settle it) and ``error`` (None: there is none), and is several times as fast.
        Only a few thousand VINs are taken from the iterable before their rows are used.
        """
        if fields is None:
            return chain.from_iterable(self._blocks(vins, self._reports))
        names = self._checked(fields)
        return chain.from_iterable(self._blocks(vins, lambda block: _rows(block, names, self._columns(block, names))))

    def decode_frame(self, frame: Any, column: str = "vin", fields: Sequence[str] = DEFAULT_FIELDS) -> Any:
        """The frame (pandas or polars) with a column for each field, ``error``, and ``catalog``: the hash of the catalog.

        Texts are texts, numbers are numbers; what the VIN does not settle is missing.
        Raises ValueError when the frame has one of these columns already.
        """
        names = self._checked(fields)
        texts = texts_of(frame, column)
        blocks = list(self._blocks(texts, lambda block: self._columns(block, names)))
        return add_columns(frame, names, self.fields, blocks, self.catalog)

    def changed(self, vins: Iterable[str], before: Decoder, fields: Sequence[str] = DEFAULT_FIELDS) -> Iterator[bool]:
        """For each VIN whether one of these fields is another than ``before`` has it, which has an earlier catalog or year.

        Several times as fast as to decode: VINs that differ in their serial numbers alone are compared once. False for
        what is no VIN.
        """
        names = self._checked(fields)
        refuse_changed(before._catalog)
        return chain.from_iterable(self._blocks(vins, lambda block: self._changed(block, before, names)))

    def candidates(self, vin: str, hints: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What a VIN leaves open, and what hints settle of it. Takes masked VINs too: ``*`` for what is not known.

        Raises InvalidVinError when the text is no VIN, masked or not, or a hint is none.
        """
        given = {name: plain(value) for name, value in (hints or {}).items()}
        for name, value in given.items():
            try:
                json.dumps({name: value}, allow_nan=False)
            except (TypeError, ValueError):
                raise InvalidVinError(
                    f"The hint {name} is {shown(value)}. Give a text or a finite number, or leave the hint out."
                ) from None
        found = self._ask({"kind": "candidates", "vin": _text(vin), "hints": given})
        if "error" in found:
            raise InvalidVinError(found["error"])
        return found["answer"]

    def close(self) -> None:
        """Ends the processes. The decoder cannot be used afterwards."""
        self._closed = True
        self._pool.shutdown(wait=True)
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def _start_empty(self) -> None:
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix="marque-decoder")
        self._slots = threading.BoundedSemaphore(self._workers)
        self._known: dict[str, Any] | None = None

    def _after_fork(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().let_go()
        self._start_empty()

    def _about(self) -> dict[str, Any]:
        if self._known is None:
            self._ask({"kind": "reports", "vins": []})
        assert self._known is not None
        return self._known

    def _ask(self, request: dict[str, Any]) -> Any:
        """Asks a process that is idle; work over which one ends is tried once more, by another."""
        if self._closed:
            raise DecoderError("The decoder is closed.")
        with self._slots:
            try:
                return self._ask_one(request)
            except WorkerEndedError:
                return self._ask_one(request)

    def _ask_one(self, request: dict[str, Any]) -> Any:
        try:
            worker = self._idle.get_nowait()
        except queue.Empty:
            worker = Worker(self._node, self._catalog, self._year)
            self._known = worker.about
        try:
            answer = worker.ask(request)
        except BaseException:
            # Interrupted or ended: what it answers next would be the answer to this.
            worker.close()
            raise
        self._idle.put(worker)
        return answer

    def _reports(self, block: list[Any]) -> list[dict[str, Any]]:
        return self._ask({"kind": "reports", "vins": [_text(vin) for vin in block]})

    def _columns(self, block: list[Any], names: Sequence[str]) -> Columns:
        return self._ask({"kind": "columns", "vins": [_text(vin) for vin in block], "fields": list(names)})

    def _changed(self, block: list[Any], before: Decoder, names: Sequence[str]) -> list[bool]:
        settings = {"catalog": str(before._catalog), "year": before._year}
        vins = [_text(vin) for vin in block]
        found = self._ask({"kind": "changed", "vins": vins, "fields": list(names), "before": settings})
        if isinstance(found, dict):
            raise DecoderError(f"The catalog to compare with cannot be opened. {found['error']}")
        return found

    def _blocks(self, vins: Iterable[Any], work: Callable[[list[Any]], T]) -> Iterator[T]:
        """Works on blocks in all processes, and yields what came of them in their order: a block more than processes is under way."""
        rest = iter(vins)
        under_way: deque[Future[T]] = deque()
        try:
            while block := list(islice(rest, _BLOCK)):
                under_way.append(self._submit(work, block))
                if len(under_way) > self._workers:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()

    def _submit(self, work: Callable[[list[Any]], T], block: list[Any]) -> Future[T]:
        if self._closed:
            raise DecoderError("The decoder is closed.")
        return self._pool.submit(work, block)

    def _checked(self, fields: Sequence[str]) -> list[str]:
        known = self.fields
        for name in fields:
            if name not in known:
                raise ValueError(f"There is no field {name!r}. There are: {', '.join(known)}.")
        return list(dict.fromkeys(fields))


def _text(vin: Any) -> str:
    return vin[:_LONGEST_TEXT] if isinstance(vin, str) else "" if _is_missing(vin) else str(vin)[:_LONGEST_TEXT]


def _is_missing(value: Any) -> bool:
    # NaN and pandas.NA are what frames have for no text: neither says of itself that it is equal.
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def _rows(block: list[Any], names: Sequence[str], found: Columns) -> list[dict[str, Any]]:
    values = [[None if code < 0 else column["values"][code] for code in column["codes"]] for column in found["columns"]]
    errors = found["errors"]
    keys = ("vin", *names, "error")
    of_rows = zip(*values) if values else (() for _ in block)
    return [
        dict(zip(keys, (vin, *row, errors.get(str(index)))))
        for index, (vin, row) in enumerate(zip(block, of_rows))
    ]


_all: weakref.WeakSet[Decoder] = weakref.WeakSet()

_copies: dict[tuple[Any, ...], Decoder] = {}
"""What was unpickled, by what it was made with: an engine sends a copy with each piece of work, and a start takes 0.2 s."""

_copying = threading.Lock()


def _unpickled(*given: Any) -> Decoder:
    with _copying:
        known = _copies.get(given)
        if known is None or known._closed:
            known = _copies[given] = Decoder(*given)
        return known


def _forget_processes_of_the_parent() -> None:
    global _copying
    # The thread that held it is not in the child.
    _copying = threading.Lock()
    for decoder in list(_all):
        decoder._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_processes_of_the_parent)
