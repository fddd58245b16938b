import { readHints, readVin } from '@marque/decoder';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type Static, type TObject, Type } from 'typebox';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as Definition,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { Value } from 'typebox/value';

import { ReportDecodeIssueRequest } from '../../corrections/index.ts';
import { VehicleReport } from '../../report/index.ts';
import { BatchResult } from '../batch/schemas.ts';
import { firstFaults } from '../candidates/candidates-for.ts';
import { CandidatesRequest, CandidatesResponse } from '../candidates/schemas.ts';
import { VinCheck } from '../check.ts';
import { DecodeRequest } from '../schemas.ts';
import { type McpBackend, MOST_VINS, type ToolAnswer } from './backend.ts';
import { andList } from '../../kernel/lists.ts';
import { wordOfType } from '../../kernel/http/errors.ts';
import { anyTurn, type NextTurn } from '../../kernel/limits/loop-turns.ts';

/** A tool's description for an assistant. */
interface About<Input extends TObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: TObject;
  annotations: ToolAnnotations;
}

/** A tool that an assistant can call. */
interface Tool {
  definition: Definition;
  /** Answers arguments that nobody has checked yet. */
  call: (args: unknown) => Promise<CallToolResult>;
}

/** Marks a tool that reads the same facts, the same each time. */
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** Returns a tool whose arguments are checked against its schema before `answer` sees them. */
function tool<Input extends TObject>(
  { input, output, ...about }: About<Input>,
  answer: (args: Static<Input>) => ToolAnswer | Promise<ToolAnswer>,
): Tool {
  return {
    definition: {
      ...about,
      inputSchema: jsonSchemaOf(input),
      outputSchema: jsonSchemaOf(output),
    },
    call: async (args) => {
      if (Value.Check(input, args)) return resultOf(await answer(args));
      return resultOf({ kind: 'refused', message: faultsIn(input, args) });
    },
  };
}

/** Settings of a server of tools. */
interface ServerOptions {
  /** Makes the text of an error that a tool threw; default: its own message, which suits a person who runs the program. */
  textOf?: (error: Error) => string;
  /** Waits for the turn in which the next call is answered. */
  turn?: NextTurn;
}

/** Returns a server with these tools, connected to nothing yet. */
function serverOf(
  tools: readonly Tool[],
  version: string,
  { textOf = ({ message }) => message, turn = anyTurn }: ServerOptions,
): McpServer {
  const mcp = new McpServer({ name: 'marque', title: 'Marque', version }, { instructions: INSTRUCTIONS });
  const byName = new Map(tools.map((each) => [each.definition.name, each]));
  // The SDK's own registry of tools takes zod's schemas, and ours are those of the HTTP API.
  mcp.server.registerCapabilities({ tools: {} });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ definition }) => definition) }));
  // Calls of one batch, one after the other, each in a turn of its own.
  let last: Promise<unknown> = Promise.resolve();
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const called = byName.get(params.name);
    if (called === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const answer = async (): Promise<CallToolResult> => {
      try {
        await turn();
        return await called.call(params.arguments ?? {});
      } catch (error) {
        const message = textOf(error instanceof Error ? error : new Error(String(error)));
        return resultOf({ kind: 'refused', message });
      }
    };
    const result = last.then(answer);
    last = result;
    return result;
  });
  return mcp;
}

function jsonSchemaOf({ properties, required }: TObject): Definition['inputSchema'] {
  return { type: 'object', properties, ...(required === undefined ? {} : { required: [...required] }) };
}

function faultsIn(input: TObject, args: unknown): string {
  const faults = Value.Errors(input, args).map((error) => {
    if (error.keyword === 'required') return `${andList(error.params.requiredProperties)} must be given.`;
    const name = error.instancePath.slice(1).replaceAll('/', '.');
    const what = name === '' ? 'The arguments' : name;
    return error.keyword === 'type' ? `${what} must be ${wordOfType(error.params.type)}.` : `${what} ${error.message}.`;
  });
  return firstFaults(faults);
}

/** Converts a tool's answer: a refusal is marked as an error. */
function resultOf(answer: ToolAnswer): CallToolResult {
  const meta = answer.meta === undefined ? {} : { _meta: answer.meta };
  if (answer.kind === 'refused') return { isError: true, content: [{ type: 'text', text: answer.message }], ...meta };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer.value) }],
    structuredContent: { ...answer.value },
    ...meta,
  };
}

const INSTRUCTIONS =
  'Decodes vehicle identification numbers. What a VIN does not settle is left out of the report: a missing field is unknown, not absent. When a VIN is refused or its check digit is wrong, call check_vin for what was likely meant, and ask before using a suggestion. When list_candidates is there, it says which values remain possible: ask the user, and call it again with the answers as hints.';

/** A report, without the name under which the HTTP API refers to it. */
const report = Type.Object(VehicleReport.properties);

const vinAlone = Type.Object(DecodeRequest.properties);

const decode = (backend: McpBackend): Tool =>
  tool(
    {
      name: 'decode_vin',
      title: 'Decode a VIN',
      description:
        'What vehicle a VIN identifies: make, model, model year, body style, plant, engine, and so on, as far as the VIN settles it.',
      input: vinAlone,
      output: report,
      annotations: READS,
    },
    ({ vin }) => backend.decode(vin),
  );

const decodeMany = (backend: McpBackend): Tool =>
  tool(
    {
      name: 'decode_vins',
      title: 'Decode several VINs',
      description: `The same for up to ${MOST_VINS} VINs at once. An invalid VIN gets an error and does not affect the others.`,
      input: Type.Object({
        vins: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_VINS, description: 'The VINs.' }),
      }),
      output: Type.Object({
        results: Type.Array(Type.Object({ ...BatchResult.properties, report: Type.Optional(report) }), {
          description: 'One for each VIN, in their order.',
        }),
      }),
      annotations: READS,
    },
    ({ vins }) => backend.decodeMany(vins),
  );

const check = (backend: McpBackend): Tool =>
  tool(
    {
      name: 'check_vin',
      title: 'Check a VIN',
      description:
        'Whether a text is a well-formed VIN, whether its check digit is right and matters where it comes from, and which VINs were likely meant where it looks mistyped.',
      input: vinAlone,
      output: Type.Object({
        ...VinCheck.properties,
        suggestions: Type.Array(Type.Object({ vin: Type.String() }), {
          description: 'VINs that were likely meant, best first.',
        }),
      }),
      annotations: READS,
    },
    async ({ vin }) => ({ kind: 'answered', value: await backend.check(vin) }),
  );

const candidates = (list: NonNullable<McpBackend['candidates']>): Tool =>
  tool(
    {
      name: 'list_candidates',
      title: 'Get open questions',
      description:
        'For each field that the VIN does not settle, such as engine, power, or body: the values that remain possible, and which document or hint settles it. Ask the user what they know (registration document, engine plate), then call this again with the answers as hints to narrow the rest. Hints never overrule the VIN.',
      input: Type.Object(CandidatesRequest.properties),
      output: Type.Object({ ...Type.Pick(CandidatesResponse, ['open', 'engines', 'conflicts']).properties, report }),
      annotations: READS,
    },
    ({ vin, hints }) => {
      const form = readHints(hints ?? {});
      return form.kind === 'malformed'
        ? { kind: 'refused', message: firstFaults(form.messages) }
        : list(vin, form.hints);
    },
  );

const explain = (evidence: NonNullable<McpBackend['explain']>): Tool =>
  tool(
    {
      name: 'explain_decode',
      title: 'Explain a decode',
      description:
        'The decode of a VIN with the evidence for each field: which facts spoke for it, from which positions and source, and what else was possible. For questions about why.',
      input: vinAlone,
      output: Type.Object({ report, fields: Type.Array(Type.Object({ field: Type.String() })) }),
      annotations: READS,
    },
    ({ vin }) => {
      const form = readVin(vin);
      return form.kind === 'malformed'
        ? { kind: 'refused', message: form.message }
        : { kind: 'answered', value: evidence(form.vin) };
    },
  );

const reportWrongDecode = (backend: McpBackend): Tool =>
  tool(
    {
      name: 'report_wrong_decode',
      title: 'Report a wrong decode',
      description:
        'Queues a correction for review by a person. Only when the user says that a decode is wrong and knows what is right; never from a guess.',
      input: Type.Omit(ReportDecodeIssueRequest, ['actualReport']),
      output: Type.Object({ saved: Type.Boolean(), state: Type.String() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    (claim) => backend.report(claim),
  );

/**
 * Returns a server with the tools, connected to nothing yet.
 */
export function serverWith(backend: McpBackend, version: string, options: ServerOptions = {}): McpServer {
  const tools = [
    decode(backend),
    decodeMany(backend),
    check(backend),
    ...(backend.candidates === undefined ? [] : [candidates(backend.candidates)]),
    ...(backend.explain === undefined ? [] : [explain(backend.explain)]),
    reportWrongDecode(backend),
  ];
  return serverOf(tools, version, options);
}
