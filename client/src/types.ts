import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

/** What the VIN says of the vehicle. Fields without a value are left out. */
export type VehicleReport = Schemas['VehicleReport'];
/** What is left of the month's decodes. */
export type UsageInfo = Schemas['UsageInfo'];
/** A decode as the service answers it. */
export type DecodeResponse = Schemas['DecodeResponse'];
/** What became of one VIN of a batch. Only `decoded` is charged. */
export type BatchResult = Schemas['BatchResult'];
/** Whether a text is a VIN, and what was meant where it looks mistyped. */
export type VinCheck = Schemas['VinCheck'];
/** What a VIN leaves open, with the report that VIN and hints settle together. */
export type CandidatesResponse = Schemas['CandidatesResponse'];
/** What is known of a vehicle beside its VIN. */
export type Hints = NonNullable<Schemas['CandidatesRequest']['hints']>;
/** An engine that a vehicle may have. Send its fields as hints to choose it. */
export type Engine = CandidatesResponse['engines'][number];
/** A job: very many VINs, decoded in the background. */
export type Job = Schemas['JobResponse'];
/** What a workspace used. */
export type UsageResponse = Schemas['UsageResponse'];
/** A report of a wrong decode. */
export type WrongDecode = Schemas['ReportDecodeIssueRequest'];
/** The answer to such a report. */
export type WrongDecodeSaved = Schemas['ReportDecodeIssueResponse'];
/** A page of a workspace's own reports. */
export type OwnReports = Schemas['OwnReportsResponse'];
