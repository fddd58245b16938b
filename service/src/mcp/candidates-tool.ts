import { readHints } from '@marque/decoder';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { CandidatesRequest, Engine, OpenField } from '../features/decode/candidates/schemas.ts';
import type { Face } from './face.ts';
import { READS, report, resultOf } from './schemas.ts';

const maskedVin = z
  .string()
  .min(1)
  .max(64)
  .describe('The VIN; or its first characters, at least 11, with * for each that is not known.');

const hints = z.fromJSONSchema(JSON.parse(JSON.stringify(CandidatesRequest.properties.hints)));

const answer = z.object({
  report: report.describe('What the VIN and the hints settle together.'),
  open: z
    .array(z.fromJSONSchema(JSON.parse(JSON.stringify(OpenField))))
    .describe('Each field that stays open: the values that remain, the likeliest first, and what would settle it.'),
  engines: z
    .array(z.fromJSONSchema(JSON.parse(JSON.stringify(Engine))))
    .describe('The engines that remain, the likeliest first. Send the fields of one as hints to choose it.'),
  conflicts: z.array(z.string()).describe('The names of hints that contradict the VIN. These hints were ignored.'),
});

/** Adds `list_candidates`, with which an assistant learns what to ask its user. */
export function addCandidates(server: McpServer, candidates: NonNullable<Face['candidates']>): void {
  server.registerTool(
    'list_candidates',
    {
      title: 'List what a VIN leaves open',
      description:
        'For each field that the VIN does not settle, such as engine, power or body: the values that remain possible, and which document or hint settles it. Ask the user what they know (registration document, engine plate), then call this again with the answers as hints to narrow the rest. Hints never overrule the VIN.',
      inputSchema: { vin: maskedVin, hints: hints.optional() },
      outputSchema: answer,
      annotations: READS,
    },
    async ({ vin, hints: given }) => {
      const form = readHints(z.record(z.string(), z.unknown()).parse(given ?? {}));
      if (form.kind === 'malformed') return resultOf({ kind: 'refused', message: form.messages.join(' ') });
      return resultOf(await candidates(vin, form.hints));
    },
  );
}
