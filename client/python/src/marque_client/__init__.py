"""The typed client of a Marque service: VIN in, vehicle out."""

from .client import Marque
from .errors import (
    ConnectionFailed,
    InvalidRequest,
    LimitReached,
    MarqueError,
    NotAuthorized,
    StillPending,
    Unavailable,
)
from .types import BatchResult, Decode, OwnReports, Report, Usage, VinCheck, WrongDecode, WrongDecodeSaved

__all__ = [
    "BatchResult",
    "ConnectionFailed",
    "Decode",
    "InvalidRequest",
    "LimitReached",
    "Marque",
    "MarqueError",
    "NotAuthorized",
    "OwnReports",
    "Report",
    "StillPending",
    "Unavailable",
    "Usage",
    "VinCheck",
    "WrongDecode",
    "WrongDecodeSaved",
]
