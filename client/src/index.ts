export {
  type CallOptions,
  type DecodeManyOptions,
  type DecodeOptions,
  Marque,
  type MarqueOptions,
  type WriteOptions,
} from './client.ts';
export {
  ConnectionFailed,
  InvalidRequest,
  LimitReached,
  MarqueError,
  NotAuthorized,
  Refused,
  StillPending,
  Unavailable,
} from './errors.ts';
export type { components, paths } from './generated/api.ts';
export type { Fetch, Patience } from './retry.ts';
export type {
  BatchResult,
  CandidatesResponse,
  DecodeResponse,
  Hints,
  Job,
  OwnReports,
  UsageInfo,
  UsageResponse,
  VehicleReport,
  VinCheck,
  WrongDecode,
  WrongDecodeSaved,
} from './types.ts';
