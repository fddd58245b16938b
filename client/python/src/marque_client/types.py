"""The documents of the API, as `/openapi.json` describes them. Fields that a VIN does not settle are absent."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, Union


class Report(TypedDict, total=False):
    """What a vehicle is. Which fields a caller sees depends on its plan."""

    vin: str
    wmi: str
    vds: str
    vis: str
    manufacturer: str
    model: str
    modelCode: str
    modelYear: str
    generation: str
    trim: str
    bodyStyle: str
    bodyStyleNormalized: str
    possibleBodyStyles: List[str]
    vehicleType: str
    plant: str
    region: str
    checkDigit: str
    yearCode: str
    plantCode: str
    serialNumber: str
    validFormat: bool
    specs: Dict[str, Any]
    technicalSpecs: Dict[str, Any]


class DecodeUsage(TypedDict):
    """What is left of the month; None where the plan has no limit."""

    limit: Optional[int]
    remaining: Optional[int]
    resetAt: Optional[str]


class _Decode(TypedDict):
    report: Report
    usage: DecodeUsage


class Decode(_Decode, total=False):
    """The answer to a decode; `metadata` only for a caller with a key."""

    metadata: Dict[str, Any]


class _BatchResult(TypedDict):
    vin: str
    status: str


class BatchResult(_BatchResult, total=False):
    """What became of one VIN of a batch: a report, an error, or a status that says why there is neither."""

    requestId: str
    premiumFieldsAvailable: int
    report: Report
    error: str
    retryAfterSeconds: int


class Hints(TypedDict, total=False):
    """What is known of a vehicle beside its VIN."""

    modelYear: int
    registrationYear: int
    fuelType: str
    displacementCc: float
    powerKw: float
    bodyStyleNormalized: str
    driveType: str
    transmission: str
    market: str


class OpenField(TypedDict):
    """A field that is not settled: what it may be, likeliest first, and what would settle it."""

    field: str
    candidates: List[Any]
    settledBy: List[str]


class Engine(TypedDict, total=False):
    """An engine that the vehicle may have. Send its fields as hints to choose it."""

    fuelType: str
    displacementCc: float
    powerKw: float


class Candidates(TypedDict):
    """What a VIN leaves open, with the report that VIN and hints settle together."""

    report: Report
    open: List[OpenField]
    engines: List[Engine]
    conflicts: List[Any]
    usage: DecodeUsage


class Job(TypedDict):
    """Very many VINs, decoded in the background. `status`: queued, running, completed or stopped."""

    id: str
    status: str
    vins: int
    done: int
    charged: int
    progress: float
    createdAt: str
    finishedAt: Optional[str]
    results: str
    form: str
    column: str
    encoding: Optional[str]


class CheckDigit(TypedDict):
    """The check digit of a VIN, and whether its market requires it."""

    expected: str
    found: str
    matches: bool
    required: bool


class Suggestion(TypedDict, total=False):
    """A VIN that was likely meant."""

    vin: str
    changes: List[Dict[str, Any]]
    checkDigit: Dict[str, Any]


class _VinCheck(TypedDict):
    wellFormed: bool


class VinCheck(_VinCheck, total=False):
    """Whether a text is a VIN; `problem` says what is wrong with it."""

    vin: str
    problem: str
    checkDigit: CheckDigit
    suggestions: List[Suggestion]


class Month(TypedDict):
    """What a workspace used in one month."""

    month: str
    charged: int
    days: List[Dict[str, Any]]
    keys: List[Dict[str, Any]]


class Usage(TypedDict):
    """What the key's workspace used, by month."""

    usage: DecodeUsage
    months: List[Month]


class _WrongDecode(TypedDict):
    vin: str
    expectedManufacturer: str
    expectedModel: str
    expectedBodyStyle: str
    expectedModelYear: str
    note: str


class WrongDecode(_WrongDecode, total=False):
    """A report of a wrong decode. No text is blank: "unknown" claims nothing of a field. `expectedFields` has the right
    values of others, by their paths in the report; `actualReport` is what was answered."""

    expectedFields: Dict[str, Union[str, float]]
    actualReport: Optional[Report]


class WrongDecodeSaved(TypedDict):
    """A report that was taken for review."""

    saved: bool
    source: str


class _OwnReport(TypedDict):
    id: str
    vin: str
    expectedManufacturer: str
    expectedModel: str
    expectedBodyStyle: str
    expectedModelYear: str
    note: str
    source: str
    state: str
    reason: Optional[str]
    createdAt: str
    decidedAt: Optional[str]


class OwnReport(_OwnReport, total=False):
    """A report of the workspace, with its state."""

    expectedFields: Dict[str, Union[str, float]]


class OwnReports(TypedDict):
    """A page of reports; `next` is what to ask the page after it with, None at the end."""

    reports: List[OwnReport]
    next: Optional[str]
