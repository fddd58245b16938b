"""Columns of reports in frames of pandas and polars, neither of which need be installed."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence, TypedDict


class Column(TypedDict):
    """One field of a block of reports: each different value once, and for each VIN the place of its value or -1."""

    values: list[Any]
    codes: list[int]


class Columns(TypedDict):
    """Fields of a block of reports; errors are by the row's place, as a text."""

    rows: int
    columns: list[Column]
    errors: dict[str, str]


def texts_of(frame: Any, column: str) -> Iterable[Any]:
    """The values of a frame's column. Raises ValueError when the frame has no such column."""
    if column not in frame.columns:
        raise ValueError(f"The frame has no column {column!r}. It has: {', '.join(map(str, frame.columns))}.")
    return frame[column]


def add_columns(
    frame: Any, names: Sequence[str], kinds: Mapping[str, str], blocks: Sequence[Columns], catalog: str
) -> Any:
    """The frame with columns for the fields, the errors and the catalog. Raises ValueError when it has one of them already."""
    for name in (*names, "error", "catalog"):
        if name in frame.columns:
            raise ValueError(f"The frame has a column {name!r} already. Rename or drop it first.")
    types = {name: kinds[name] for name in names}
    if type(frame).__module__.startswith("polars"):
        return _add_to_polars(frame, types, blocks, catalog)
    return _add_to_pandas(frame, types, blocks, catalog)


def _add_to_pandas(frame: Any, kinds: Mapping[str, str], blocks: Sequence[Columns], catalog: str) -> Any:
    import numpy
    import pandas

    arrays = {
        "integer": (numpy.int64, pandas.arrays.IntegerArray),
        "number": (numpy.float64, pandas.arrays.FloatingArray),
        "boolean": (numpy.bool_, pandas.arrays.BooleanArray),
    }

    def column(place: int, kind: str) -> Any:
        # The place -1 is that of the last value, which stands for none.
        codes = [numpy.array(block["columns"][place]["codes"], dtype=numpy.intp) for block in blocks]
        values = [block["columns"][place]["values"] for block in blocks]
        if kind not in arrays:
            return joined([_objects([*known, None])[at] for known, at in zip(values, codes)], object)
        dtype, array = arrays[kind]
        found = joined([numpy.array([*known, 0], dtype=dtype)[at] for known, at in zip(values, codes)], dtype)
        return array(found, joined([at < 0 for at in codes], numpy.bool_))

    def joined(parts: list[Any], dtype: Any) -> Any:
        return numpy.concatenate(parts) if parts else numpy.array([], dtype=dtype)

    columns = {name: column(place, kind) for place, (name, kind) in enumerate(kinds.items())}
    columns["error"] = _objects(_errors(blocks))
    of_frame = {
        # The type is named: newer versions make something else of texts.
        name: pandas.Series(values, index=frame.index, dtype=values.dtype) for name, values in columns.items()
    }
    return frame.assign(**of_frame, catalog=catalog)


def _objects(values: list[Any]) -> Any:
    import numpy

    # One object a place, also where they are lists of the same length.
    objects = numpy.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _add_to_polars(frame: Any, kinds: Mapping[str, str], blocks: Sequence[Columns], catalog: str) -> Any:
    import polars

    types = {
        "integer": polars.Int64,
        "number": polars.Float64,
        "boolean": polars.Boolean,
        "list": polars.List(polars.Utf8),
    }

    def column(name: str, place: int, kind: str) -> Any:
        whole = polars.Series(name, [], dtype=types.get(kind, polars.Utf8))
        for block in blocks:
            found = block["columns"][place]
            # The place -1 is that of the last value, which stands for none.
            whole.append(polars.Series(name, [*found["values"], None], dtype=whole.dtype)[found["codes"]])
        return whole

    columns = [column(name, place, kind) for place, (name, kind) in enumerate(kinds.items())]
    columns.append(polars.Series("error", _errors(blocks), dtype=polars.Utf8))
    return frame.with_columns(*columns, polars.lit(catalog).alias("catalog"))


def _errors(blocks: Sequence[Columns]) -> list[str | None]:
    errors: list[str | None] = []
    for block in blocks:
        first = len(errors)
        errors.extend([None] * block["rows"])
        for row, error in block["errors"].items():
            errors[first + int(row)] = error
    return errors


def plain(value: Any) -> Any:
    """The number of a cell of a frame, which numpy has in types of its own."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def shown(value: Any) -> str:
    """A number, or the kind of what is none: it may be too long to print."""
    return str(value) if isinstance(value, float) else f"of the type {type(value).__name__}"
