"""One Node process that decodes, and how to talk to it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

from .errors import DecoderError, NodeNotFoundError, WorkerEndedError

OLDEST_NODE = 20

_FOLDER = Path(__file__).parent / "node"
_SCRIPT = _FOLDER / "worker.mjs"
PACKAGED_CATALOG = _FOLDER / "marque.catalog"

_LENGTH = struct.Struct("<I")

_MAGIC = b"MARQUE\x00"
_GZIP = b"\x1f\x8b"
_SEAL = b"MARQUEsh"
"""Stands before the SHA-256 at the end of a catalog."""

_HASH_BYTES = 32


def find_node(node: str | os.PathLike[str] | None) -> str:
    """The Node that was given, or the one on the path.

    Raises NodeNotFoundError where there is none.
    """
    found = shutil.which(os.fspath(node) if node is not None else "node")
    if found is None:
        where = "on the path" if node is None else f"at {os.fspath(node)}"
        raise NodeNotFoundError(
            f"There is no Node {where}. Install Node {OLDEST_NODE} or newer, or name it: Decoder(node=\"/path/to/node\")."
        )
    return found


def refuse_changed(catalog: Path) -> None:
    """Raises DecoderError when the bytes of a catalog do not have the hash that it was built with."""
    try:
        stored = catalog.read_bytes()
        data = memoryview(gzip.decompress(stored) if stored.startswith(_GZIP) else stored)
    except (OSError, ValueError, EOFError, zlib.error):
        # Node says what is wrong with it.
        return
    # Node says what other files are.
    if data[: len(_MAGIC)] != _MAGIC:
        return
    content, seal = data[: -len(_SEAL) - _HASH_BYTES], data[-len(_SEAL) - _HASH_BYTES :]
    if seal != _SEAL + hashlib.sha256(content).digest():
        raise DecoderError(f"The catalog {catalog} was changed or is damaged. Build or copy it again.")


class Worker:
    """Decodes in a process of its own, which ends with this one however that ends: its standard input closes then."""

    def __init__(self, node: str, catalog: Path, year: int | None) -> None:
        if not _SCRIPT.exists():
            raise DecoderError("The package is not built. In a clone of Marque run `npm run python`.")
        self._process = subprocess.Popen(
            [node, str(_SCRIPT), str(catalog), "" if year is None else str(year)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            # While Node starts.
            refuse_changed(catalog)
            self.about: dict[str, Any] = self._receive()
        except DecoderError:
            self.close()
            raise
        except _Ended:
            raise self._failed_start(node, catalog) from None
        if int(self.about["node"].split(".")[0]) < OLDEST_NODE:
            self.close()
            raise NodeNotFoundError(f"{node} is Node {self.about['node']}; version {OLDEST_NODE} or newer is needed.")

    def ask(self, request: dict[str, Any]) -> Any:
        """Sends a request and waits for its answer. Raises WorkerEndedError when the process ends before."""
        body = json.dumps(request, ensure_ascii=True).encode()
        try:
            stdin = self._process.stdin
            assert stdin is not None
            stdin.write(_LENGTH.pack(len(body)) + body)
            stdin.flush()
            return self._receive()
        except (_Ended, BrokenPipeError):
            status = self._process.wait()
            raise WorkerEndedError(
                f"The Node process ended while it decoded (status {status}). {self._printed()}".strip()
            ) from None

    def close(self) -> None:
        """Ends the process. It has nothing to lose: it holds no more than the request that it answers."""
        self._process.kill()
        self._process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Closes the pipes alone: what a forked process does with those of its parent."""
        # It is not this process's child any more: there is nothing to wait for.
        self._process.returncode = self._process.returncode or 0
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                # What was left to write has no reader any more.
                pass

    def _receive(self) -> Any:
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return json.loads(self._read(length))

    def _read(self, length: int) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None
        data = stdout.read(length)
        if len(data) < length:
            raise _Ended
        return data

    def _failed_start(self, node: str, catalog: Path) -> DecoderError:
        printed = self._printed()
        self.close()
        if not catalog.exists():
            return DecoderError(f"There is no catalog at {catalog}.")
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
        known = re.match(r"v(\d+)\.", version)
        if known is None:
            return NodeNotFoundError(f"{node} is not Node. Install Node {OLDEST_NODE} or newer, and name it.")
        if int(known[1]) < OLDEST_NODE:
            return NodeNotFoundError(f"{node} is Node {version}; version {OLDEST_NODE} or newer is needed.")
        return DecoderError(f"Node cannot open the catalog {catalog}: {printed}")

    def _printed(self) -> str:
        """What the process that has ended wrote on standard error."""
        stderr = self._process.stderr
        assert stderr is not None
        return stderr.read().decode(errors="replace").strip()


class _Ended(Exception):
    """The process closed its output."""
