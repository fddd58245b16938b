import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type CallToolResult,
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as Definition,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';

import { andList } from '../../kernel/lists.ts';
import type { ToolAnswer } from './face.ts';

/** What a tool says of itself to an assistant. */
interface About<Input extends TObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: TObject;
  annotations: ToolAnnotations;
}

/** A tool that an assistant can call. */
export interface Tool {
  definition: Definition;
  /** Answers arguments that nobody has checked yet. */
  call: (args: unknown) => Promise<CallToolResult>;
}

/** Marks a tool that reads the same facts, the same each time. */
export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** A tool whose arguments are checked against its schema before `answer` sees them. */
export function tool<Input extends TObject>(
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

/** A server with these tools, connected to nothing yet. */
export function serverOf(tools: readonly Tool[], version: string, instructions: string): McpServer {
  const mcp = new McpServer({ name: 'marque', title: 'Marque', version }, { instructions });
  const byName = new Map(tools.map((each) => [each.definition.name, each]));
  // The SDK's own registry of tools takes zod's schemas, and ours are those of the HTTP API.
  mcp.server.registerCapabilities({ tools: {} });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ definition }) => definition) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const called = byName.get(params.name);
    if (called === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return called.call(params.arguments ?? {});
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
    return `${name === '' ? 'The arguments' : name} ${error.message}.`;
  });
  return faults.join(' ');
}

/** What a tool answers: a refusal is marked as an error. */
function resultOf(answer: ToolAnswer): CallToolResult {
  const meta = answer.meta === undefined ? {} : { _meta: answer.meta };
  if (answer.kind === 'refused') return { isError: true, content: [{ type: 'text', text: answer.message }], ...meta };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer.value, null, 2) }],
    structuredContent: { ...answer.value },
    ...meta,
  };
}
