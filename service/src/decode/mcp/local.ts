import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { type Decoder, readVin } from '@marque/decoder';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import type { Corrections, Reporter } from '../../corrections/index.ts';
import { readCandidates } from '../searches/read-candidates.ts';
import { checkForm } from '../check.ts';
import { type McpBackend, reportWrong } from './backend.ts';
import { withPlainFaults } from './faults.ts';
import { serverWith } from './tools.ts';

/** Returns the tools for a user who may read the catalog and the database: full depth, with evidence, not counted. */
export function localBackend(
  decoder: Decoder,
  corrections: Pick<Corrections, 'submit'>,
  reporter: Reporter,
): McpBackend {
  return {
    decode: async (sent) => {
      const form = readVin(sent);
      return form.kind === 'vin'
        ? { kind: 'answered', value: decoder.decode(form.vin) }
        : { kind: 'refused', message: form.message };
    },
    decodeMany: async (vins) => {
      const results = vins.map((vin) => {
        const form = readVin(vin);
        return form.kind === 'vin'
          ? { vin, status: 'decoded', report: decoder.decode(form.vin) }
          : { vin, status: 'invalid', error: form.message };
      });
      return { kind: 'answered', value: { results } };
    },
    check: async (sent) => ({ ...checkForm(sent), suggestions: decoder.suggest(sent) }),
    candidates: async (sent, hints) => {
      const read = readCandidates(decoder, sent, hints);
      return read.kind === 'read'
        ? { kind: 'answered', value: read.answer }
        : { kind: 'refused', message: read.message };
    },
    explain: (vin) => decoder.explain(vin),
    report: (claim) => reportWrong({ decoder, corrections }, { reporter, source: 'public' }, claim),
  };
}

/** Serves one client over two streams, until it closes its side. Nothing but the protocol may be written to them. */
export async function serveMcp(input: Readable, output: Writable, backend: McpBackend, version: string): Promise<void> {
  const server = serverWith(backend, version);
  const ended = once(input, 'end');
  await server.connect(withPlainFaults(new StdioServerTransport(input, output)));
  await ended;
  await server.close();
}
