import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

import { wordOfType } from '../../kernel/http/errors.ts';
import { isRecord } from '../../kernel/records.ts';
import { firstFaults } from '../candidates/candidates-for.ts';
import { MOST_VINS, vinsIn } from './backend.ts';

/** The faults of a request's parameters, which the SDK sends as the text of an internal error. */
const Issues = Type.Array(
  Type.Object({
    path: Type.Array(Type.Union([Type.String(), Type.Number()])),
    message: Type.String(),
    expected: Type.Optional(Type.String()),
  }),
  { minItems: 1 },
);

/** An answer to a message that is not one of the protocol. */
interface FaultAnswer {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/**
 * Answers messages that the SDK would call unparsable, or would not answer one by one, and batches of too many VINs
 * or lists; undefined: there are none.
 */
export function faultInBatch(messages: readonly unknown[]): FaultAnswer | undefined {
  const fault = messages.map(faultInMessage).find((each) => each !== undefined);
  if (fault !== undefined) return fault;
  const ids = new Set<unknown>();
  for (const message of messages) {
    if (!isRecord(message) || message['id'] === undefined) continue;
    if (ids.has(message['id'])) return refused('Each message of a batch must have an id of its own.');
    ids.add(message['id']);
  }
  // The tool itself refuses a call with too many.
  if (messages.length >= 2 && vinsIn(messages) > MOST_VINS) {
    return refused(`A batch has at most ${MOST_VINS} VINs in all.`);
  }
  // The list is long, free, and the same each time.
  if (messages.filter(isList).length > 1) return refused('A batch asks for the list of tools once at most.');
  return undefined;
}

function refused(message: string): FaultAnswer {
  return { jsonrpc: '2.0', id: null, error: { code: ErrorCode.InvalidRequest, message } };
}

function isList(message: unknown): boolean {
  return isRecord(message) && message['method'] === 'tools/list';
}

/** Returns true if a message cancels a call. */
export function isCancellation(message: unknown): boolean {
  return isRecord(message) && message['method'] === 'notifications/cancelled';
}

function faultInMessage(message: unknown): FaultAnswer | undefined {
  if (JSONRPCMessageSchema.safeParse(message).success) return undefined;
  const { id, method, params } = isRecord(message) ? message : {};
  const isParams = typeof method === 'string' && params !== undefined && !isRecord(params);
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: isParams
      ? { code: ErrorCode.InvalidParams, message: 'params must be an object.' }
      : {
          code: ErrorCode.InvalidRequest,
          message:
            'A message must be a JSON object with "jsonrpc": "2.0", a method, and an id that is text or a whole number; _meta in its params must be an object.',
        },
  };
}

/** Makes a transport send faults of parameters as what they are, and in words: the SDK calls them internal errors. */
export function withPlainFaults<Sending extends Transport>(transport: Sending): Sending {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(plain(message), options);
  return transport;
}

const INTERNAL_ERROR: number = ErrorCode.InternalError;

function plain(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { error } = message;
  // The SDK puts the code into the sentence, too.
  const said = { ...message, error: { ...error, message: error.message.replace(`MCP error ${error.code}: `, '') } };
  if (error.code !== INTERNAL_ERROR) return said;
  const issues = issuesIn(error.message);
  if (issues === undefined) return said;
  const sentences = issues.map(({ path, message: what, expected }) => {
    const name = path.join('.');
    return expected === undefined ? `${name}: ${what}.` : `${name} must be ${wordOfType(TYPES[expected] ?? expected)}.`;
  });
  return { ...message, error: { code: ErrorCode.InvalidParams, message: firstFaults(sentences, MOST_FAULTS) } };
}

/** Faults that an answer names, of as many as the SDK found. */
const MOST_FAULTS = 5;

/** Names of types that JSON schemas call otherwise. */
const TYPES: Readonly<Record<string, string>> = { record: 'object' };

function issuesIn(text: string): Static<typeof Issues> | undefined {
  try {
    const all: unknown = JSON.parse(text);
    const issues = Array.isArray(all) ? all.slice(0, MOST_FAULTS) : all;
    return Value.Check(Issues, issues) ? issues : undefined;
  } catch {
    return undefined;
  }
}
