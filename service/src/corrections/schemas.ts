import { Type } from 'typebox';

import { FURTHER_FIELDS } from './fields.ts';
import { REPORT_STATES } from './tables.ts';
import { JSON_BOUNDS } from '../kernel/http/json-shape.ts';
import { NOT_BLANK, nullable } from '../kernel/http/schemas.ts';

const count = (parts: number): string => parts.toLocaleString('en-US');

const required = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: NOT_BLANK, description, examples: [example] });

const ExpectedFields = Type.Unsafe<Readonly<Record<string, string | number>>>({
  type: 'object',
  // Other members are refused with the names of all fields.
  additionalProperties: { anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }] },
  maxProperties: FURTHER_FIELDS.length,
  description: `The right values of other fields, by their paths in the report: ${FURTHER_FIELDS.map((path) => `\`${path}\``).join(', ')}. Numbers in the units of the report.`,
  examples: [{ 'specs.fuelType': 'Diesel', 'specs.powerKw': 103 }],
});

/** Body of `POST /api/report-decode-issue`. Fields that are not listed are ignored. */
export const ReportDecodeIssueRequest = Type.Object(
  {
    vin: required(64, 'The VIN that was decoded.', '1HGCM82633A004352'),
    expectedManufacturer: required(120, 'The right make.', 'Honda'),
    expectedModel: required(160, 'The right model.', 'Accord'),
    expectedBodyStyle: required(120, 'The right body style.', 'Coupe'),
    expectedModelYear: required(32, 'The right model year.', '2003'),
    expectedFields: Type.Optional(ExpectedFields),
    actualReport: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description: `The report that you received. Up to 64 KiB of JSON; the body has at most ${count(JSON_BOUNDS.names)} names and ${count(JSON_BOUNDS.values)} values.`,
        examples: [{ vin: '1HGCM82633A004352', manufacturer: 'Honda', model: 'Civic' }],
      }),
    ),
    note: required(2000, 'What is wrong, and how you know.', 'The registration says 2003.'),
  },
  { $id: 'ReportDecodeIssueRequest', title: 'ReportDecodeIssueRequest' },
);

/** Body of its 200. */
export const ReportDecodeIssueResponse = Type.Object(
  {
    saved: Type.Boolean({ description: 'true: the report is stored.' }),
    source: Type.String({
      description: 'Where the report came from: subscriber (with a key), public (without a key), or portal.',
      examples: ['subscriber'],
    }),
  },
  { $id: 'ReportDecodeIssueResponse', title: 'ReportDecodeIssueResponse' },
);

const OwnReport = Type.Object({
  id: Type.String(),
  vin: Type.String(),
  expectedManufacturer: Type.String(),
  expectedModel: Type.String(),
  expectedBodyStyle: Type.String(),
  expectedModelYear: Type.String(),
  expectedFields: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | number>>>({
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      description: 'The other fields that the report claims, as they were sent.',
      examples: [{ 'specs.powerKw': 103 }],
    }),
  ),
  note: Type.String(),
  source: Type.String({ examples: ['subscriber', 'portal'] }),
  state: Type.String({
    description:
      'queued: waiting for review. accepted: the VIN is now decoded with the correction. rejected: see reason. superseded: another correction covers it. reverted: the correction was undone.',
    examples: [...REPORT_STATES],
  }),
  reason: nullable(Type.String({ description: 'Why the report was accepted or rejected.' })),
  createdAt: Type.String({ format: 'date-time' }),
  decidedAt: nullable(Type.String({ format: 'date-time' })),
});

/** Query of `GET /api/reports`. */
export const OwnReportsQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: 'Reports per page, up to 200.' })),
  after: Type.Optional(
    Type.String({ pattern: '^[0-9A-Za-z-]{1,64}$', description: 'The `next` of the previous page.' }),
  ),
});

/** Body of its 200. */
export const OwnReportsResponse = Type.Object(
  {
    reports: Type.Array(OwnReport, { description: "The workspace's reports, newest first." }),
    next: nullable(Type.String({ description: 'Cursor for the next page. null: this is the last page.' })),
  },
  { $id: 'OwnReportsResponse', title: 'OwnReportsResponse' },
);
