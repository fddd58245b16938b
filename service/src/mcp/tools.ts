import { readVin } from '@marque/decoder';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { BATCH_STATUSES } from '../features/decode/batch/schemas.ts';
import { addCandidates } from './candidates-tool.ts';
import { type Face, MOST_VINS } from './face.ts';
import { READS, report, resultOf, vin } from './schemas.ts';

const text = (most: number, description: string) => z.string().trim().min(1).max(most).describe(description);

const INSTRUCTIONS =
  'Decodes vehicle identification numbers. What a VIN does not settle is left out of the report: a missing field is unknown, not absent. When a VIN is refused or its check digit is wrong, call check_vin for what was likely meant, and ask before using a suggestion. When list_candidates is there, it says which values remain possible: ask the user, and call it again with the answers as hints.';

const results = z.object({
  results: z
    .array(
      z.looseObject({
        vin: z.string().describe('As it was sent.'),
        status: z.enum(BATCH_STATUSES).describe('decoded: `report` is there. Otherwise it is not.'),
        report: report.optional(),
        error: z.string().optional(),
        retryAfterSeconds: z.number().optional().describe('Ask again then: the VIN is being looked up outside.'),
      }),
    )
    .describe('One for each VIN, in their order.'),
});

const check = z.looseObject({
  wellFormed: z.boolean().describe('Whether the VIN is well-formed under ISO 3779.'),
  vin: z.string().optional().describe('The VIN, as Marque reads it.'),
  problem: z.string().optional().describe('Which character or length is wrong.'),
  checkDigit: z
    .looseObject({ expected: z.string(), found: z.string(), matches: z.boolean(), required: z.boolean() })
    .optional()
    .describe('A difference means something only where `required`: North America and China.'),
  suggestions: z.array(z.looseObject({ vin: z.string() })).describe('VINs that were likely meant, best first.'),
});

const saved = z.object({ saved: z.boolean(), state: z.string() });

/** A server with the tools, connected to nothing yet. */
export function serverWith(face: Face, version: string): McpServer {
  const server = new McpServer({ name: 'marque', title: 'Marque', version }, { instructions: INSTRUCTIONS });
  server.registerTool(
    'decode_vin',
    {
      title: 'Decode a VIN',
      description:
        'What vehicle a VIN identifies: make, model, model year, body style, plant, engine and so on, as far as the VIN settles it.',
      inputSchema: { vin },
      outputSchema: report,
      annotations: READS,
    },
    async ({ vin: sent }) => resultOf(await face.decode(sent)),
  );
  server.registerTool(
    'decode_vins',
    {
      title: 'Decode several VINs',
      description: `The same for up to ${MOST_VINS} VINs at once. An invalid VIN gets an error and does not affect the others.`,
      inputSchema: { vins: z.array(z.string()).min(1).max(MOST_VINS).describe('The VINs.') },
      outputSchema: results,
      annotations: READS,
    },
    async ({ vins }) => resultOf(await face.decodeMany(vins)),
  );
  server.registerTool(
    'check_vin',
    {
      title: 'Check a VIN',
      description:
        'Whether a text is a well-formed VIN, whether its check digit is right and matters where it comes from, and which VINs were likely meant where it looks mistyped.',
      inputSchema: { vin },
      outputSchema: check,
      annotations: READS,
    },
    async ({ vin: sent }) => resultOf({ kind: 'answered', value: await face.check(sent) }),
  );
  if (face.candidates !== undefined) addCandidates(server, face.candidates);
  if (face.explain !== undefined) addExplain(server, face.explain);
  addReport(server, face);
  return server;
}

function addExplain(server: McpServer, explain: NonNullable<Face['explain']>): void {
  server.registerTool(
    'explain_decode',
    {
      title: 'Explain a decode',
      description:
        'The decode of a VIN with the evidence for each field: which facts spoke for it, from which positions and source, and what else was possible. For questions about why.',
      inputSchema: { vin },
      outputSchema: z.looseObject({ report, fields: z.array(z.looseObject({ field: z.string() })) }),
      annotations: READS,
    },
    ({ vin: sent }) => {
      const form = readVin(sent);
      if (form.kind === 'malformed') return resultOf({ kind: 'refused', message: form.message });
      return resultOf({ kind: 'answered', value: explain(form.vin) });
    },
  );
}

function addReport(server: McpServer, face: Pick<Face, 'report'>): void {
  server.registerTool(
    'report_wrong_decode',
    {
      title: 'Report a wrong decode',
      description:
        'Queues a correction for review by a person. Only when the user says that a decode is wrong and knows what is right; never from a guess.',
      inputSchema: {
        vin,
        expectedManufacturer: text(120, 'The right make.'),
        expectedModel: text(160, 'The right model.'),
        expectedBodyStyle: text(120, 'The right body style.'),
        expectedModelYear: text(32, 'The right model year.'),
        note: text(2000, 'What is wrong, and how the user knows: the registration, the maker, the car itself.'),
      },
      outputSchema: saved,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async (claim) => resultOf(await face.report(claim)),
  );
}
