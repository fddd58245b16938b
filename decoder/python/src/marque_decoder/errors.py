"""What can go wrong, in words for the person who calls."""

from __future__ import annotations


class DecoderError(Exception):
    """Every error of this package."""


class InvalidVinError(DecoderError, ValueError):
    """A text is no VIN, or a hint is none; the message says what to change."""


class NodeNotFoundError(DecoderError):
    """There is no Node, or one that is too old."""


class WorkerEndedError(DecoderError):
    """The Node process ended twice over the same work."""
