import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Type } from 'typebox';
import { z } from 'zod';

import { VehicleReport } from '../features/report/report-schema.ts';
import type { ToolAnswer } from './face.ts';

/** What tools take as a VIN. */
export const vin = z
  .string()
  .min(1)
  .max(64)
  .describe('The vehicle identification number: 17 characters; case, blanks, hyphens and dots do not matter.');

/** Marks a tool that reads the same facts, the same each time. */
export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** A report, as tools answer it. Its schema has no name, because it is part of several. */
export const report = z.fromJSONSchema(JSON.parse(JSON.stringify(Type.Object(VehicleReport.properties))));

/** What a tool answers: a refusal is marked as an error. */
export function resultOf(answer: ToolAnswer): CallToolResult {
  if (answer.kind === 'refused') return { isError: true, content: [{ type: 'text', text: answer.message }] };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer.value, null, 2) }],
    structuredContent: { ...answer.value },
    ...(answer.meta === undefined ? {} : { _meta: answer.meta }),
  };
}
