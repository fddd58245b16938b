import { readVin, type Decoder } from '@marque/decoder';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

import type { Corrections, Reporter } from '../features/corrections/index.ts';
import { checkForm } from '../features/decode/check.ts';

/** What the tools need. */
export interface ToolDeps {
  /** Answers with overrides. */
  decoder: Decoder;
  corrections: Pick<Corrections, 'submit'>;
  reporter: Reporter;
  version: string;
}

const vin = z
  .string()
  .min(1)
  .max(64)
  .describe('The vehicle identification number: 17 characters; case, blanks, hyphens and dots do not matter.');

const text = (most: number, description: string) => z.string().trim().min(1).max(most).describe(description);

const INSTRUCTIONS =
  'Decodes vehicle identification numbers from local facts. What a VIN does not settle is left out of the report: a missing field is unknown, not absent. When a VIN is refused or its check digit is wrong, call check_vin for what was likely meant, and ask before using a suggestion.';

/** Reading from local data, the same each time. */
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** A server with the four tools, connected to nothing yet. */
export function serverWith({ decoder, corrections, reporter, version }: ToolDeps): McpServer {
  const server = new McpServer({ name: 'marque', title: 'Marque', version }, { instructions: INSTRUCTIONS });
  server.registerTool(
    'decode_vin',
    {
      title: 'Decode a VIN',
      description:
        'What vehicle a VIN stands for: make, model, model year, body style, plant, engine and so on, as far as the VIN settles it.',
      inputSchema: { vin },
      annotations: READS,
    },
    ({ vin: sent }) => withVin(sent, (found) => decoder.decode(found)),
  );
  server.registerTool(
    'check_vin',
    {
      title: 'Check a VIN',
      description:
        'Whether a text is a well-formed VIN, whether its check digit is right and matters where it comes from, and which VINs were likely meant where it looks mistyped.',
      inputSchema: { vin },
      annotations: READS,
    },
    ({ vin: sent }) => answer({ ...checkForm(sent), suggestions: decoder.suggest(sent) }),
  );
  server.registerTool(
    'explain_decode',
    {
      title: 'Explain a decode',
      description:
        'The decode of a VIN with the evidence for each field: which facts spoke for it, from which positions and source, and what else was possible. For questions about why.',
      inputSchema: { vin },
      annotations: READS,
    },
    ({ vin: sent }) => withVin(sent, (found) => decoder.explain(found)),
  );
  addReport(server, { decoder, corrections, reporter });
  return server;
}

function addReport(server: McpServer, { decoder, corrections, reporter }: Omit<ToolDeps, 'version'>): void {
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
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async (claim) => {
      const form = readVin(claim.vin);
      if (form.kind === 'malformed') return refusal(form.message);
      const actualReport = { ...decoder.decode(form.vin) };
      const outcome = await corrections.submit({ reporter, source: 'public', claim, actualReport });
      if (outcome.kind !== 'saved')
        return refusal('Too many reports wait for review. Send this one when some are decided.');
      return answer({ saved: true, state: 'queued for review' });
    },
  );
}

function withVin(sent: string, use: (found: string) => object): CallToolResult {
  const form = readVin(sent);
  return form.kind === 'vin' ? answer(use(form.vin)) : refusal(form.message);
}

function answer(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value, null, 2) }],
    structuredContent: { ...value },
  };
}

/** The model reads it and can do something about it, so it is a result and no protocol error. */
function refusal(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
