"""Decodes vehicle identification numbers of the whole world, offline."""

from .decoder import DEFAULT_FIELDS, Decoder
from .errors import DecoderError, InvalidVinError, NodeNotFoundError, WorkerEndedError

__all__ = [
    "DEFAULT_FIELDS",
    "Decoder",
    "DecoderError",
    "InvalidVinError",
    "NodeNotFoundError",
    "WorkerEndedError",
]
