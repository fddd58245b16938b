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
from .types import (
    BatchResult,
    Candidates,
    Decode,
    Hints,
    Job,
    OpenField,
    OwnReports,
    Report,
    Usage,
    VinCheck,
    WrongDecode,
    WrongDecodeSaved,
)

__all__ = [
    "BatchResult",
    "Candidates",
    "ConnectionFailed",
    "Decode",
    "Hints",
    "InvalidRequest",
    "Job",
    "LimitReached",
    "Marque",
    "MarqueError",
    "NotAuthorized",
    "OpenField",
    "OwnReports",
    "Report",
    "StillPending",
    "Unavailable",
    "Usage",
    "VinCheck",
    "WrongDecode",
    "WrongDecodeSaved",
]
