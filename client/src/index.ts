export {
  type CallOptions,
  type DecodeManyOptions,
  type DecodeOptions,
  Marque,
  type MarqueOptions,
  type WriteOptions,
} from './client.ts';
export {
  ConnectionFailedError,
  InvalidRequestError,
  LimitReachedError,
  MarqueError,
  NotAuthorizedError,
  RefusedError,
  StillPendingError,
  UnavailableError,
} from './errors.ts';
export type { components, paths } from './generated/api.ts';
export type { Fetch, FetchAnswer, FetchInit, RetryOptions } from './retry.ts';
export type {
  BatchResult,
  CandidatesResponse,
  DecodeResponse,
  Engine,
  Hints,
  Job,
  JobResult,
  OwnReports,
  UsageInfo,
  UsageResponse,
  VehicleReport,
  VinCheck,
  WrongDecode,
  WrongDecodeSaved,
} from './types.ts';
