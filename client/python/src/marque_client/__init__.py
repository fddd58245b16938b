"""The typed client of a Marque service: VIN in, vehicle out."""

from .client import Marque
from .errors import (
    ConnectionFailedError,
    InvalidRequestError,
    LimitReachedError,
    MarqueError,
    NotAuthorizedError,
    StillPendingError,
    UnavailableError,
)
from .types import (
    BatchResult,
    Candidates,
    Decode,
    Engine,
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
    "ConnectionFailedError",
    "Decode",
    "Engine",
    "Hints",
    "InvalidRequestError",
    "Job",
    "LimitReachedError",
    "Marque",
    "MarqueError",
    "NotAuthorizedError",
    "OpenField",
    "OwnReports",
    "Report",
    "StillPendingError",
    "UnavailableError",
    "Usage",
    "VinCheck",
    "WrongDecode",
    "WrongDecodeSaved",
]
