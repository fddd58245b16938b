"""Columns of reports in frames of pandas and polars, neither of which need be installed."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence, TypedDict


class Column(TypedDict):
    """One field of a block of reports: each different value once, and for each VIN the place of its value or -1."""

    values: list[Any]
    codes: list[int]


class Columns(TypedDict):
    """Fields of a block of reports; errors are by the row's place, as a text."""

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
    lists = {name: _column(blocks, place) for place, name in enumerate(names)}
    errors = [
        block["errors"].get(str(row)) for block, size in zip(blocks, _sizes(blocks, len(frame))) for row in range(size)
    ]
    types = {name: kinds[name] for name in names}
    if type(frame).__module__.startswith("polars"):
        return _add_to_polars(frame, lists, types, errors, catalog)
    return _add_to_pandas(frame, lists, types, errors, catalog)


def _sizes(blocks: Sequence[Columns], rows: int) -> list[int]:
    if blocks and blocks[0]["columns"]:
        return [len(block["columns"][0]["codes"]) for block in blocks]
    return [rows] if len(blocks) < 2 else [rows // len(blocks)] * len(blocks)


def _column(blocks: Sequence[Columns], place: int) -> list[Any]:
    values: list[Any] = []
    for block in blocks:
        column = block["columns"][place]
        known = column["values"]
        values.extend(None if code < 0 else known[code] for code in column["codes"])
    return values


def _add_to_pandas(
    frame: Any, lists: Mapping[str, list[Any]], kinds: Mapping[str, str], errors: list[Any], catalog: str
) -> Any:
    import pandas

    types = {"integer": "Int64", "number": "Float64", "boolean": "boolean"}
    columns = {
        name: pandas.Series(values, index=frame.index, dtype=types.get(kinds[name], object))
        for name, values in lists.items()
    }
    columns["error"] = pandas.Series(errors, index=frame.index, dtype=object)
    return frame.assign(**columns, catalog=catalog)


def _add_to_polars(
    frame: Any, lists: Mapping[str, list[Any]], kinds: Mapping[str, str], errors: list[Any], catalog: str
) -> Any:
    import polars

    types = {
        "integer": polars.Int64,
        "number": polars.Float64,
        "boolean": polars.Boolean,
        "list": polars.List(polars.Utf8),
    }
    columns = [polars.Series(name, values, dtype=types.get(kinds[name], polars.Utf8)) for name, values in lists.items()]
    columns.append(polars.Series("error", errors, dtype=polars.Utf8))
    return frame.with_columns(*columns, polars.lit(catalog).alias("catalog"))
