import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

/** The vehicle's values from its VIN. Fields without a value are left out. */
export type VehicleReport = Schemas['VehicleReport'];
/** The rest of the month's decodes. */
export type UsageInfo = Schemas['UsageInfo'];
/** A decode as the service answers it. */
export type DecodeResponse = Schemas['DecodeResponse'];
/** The outcome of one VIN of a batch. Only `decoded` is charged. */
export type BatchResult = Schemas['BatchResult'];
/** The outcome of one row of a job, with the row itself if its table has other columns. */
export type JobResult = Schemas['JobResult'];
/** The check of a VIN, with the likely VINs if it looks mistyped. */
export type VinCheck = Schemas['VinCheck'];
/** Candidates for the fields that a VIN leaves open, with the report from VIN and hints together. */
export type CandidatesResponse = Schemas['CandidatesResponse'];
/** Facts about a vehicle beside its VIN. */
export type Hints = NonNullable<Schemas['CandidatesRequest']['hints']>;
/** An engine that a vehicle may have. Send its fields as hints to choose it. */
export type Engine = CandidatesResponse['engines'][number];
/** A job: very many VINs, decoded in the background. */
export type Job = Schemas['JobResponse'];
/** The usage of a workspace. */
export type UsageResponse = Schemas['UsageResponse'];
/** A report of a wrong decode. No text is blank: `unknown` claims nothing of a field. */
export type WrongDecode = Schemas['ReportDecodeIssueRequest'];
/** The answer to such a report. */
export type WrongDecodeSaved = Schemas['ReportDecodeIssueResponse'];
/** A page of a workspace's own reports. */
export type OwnReports = Schemas['OwnReportsResponse'];
