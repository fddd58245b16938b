import { fileURLToPath } from 'node:url';

import type { Command } from '../../kernel/cli/command.ts';

import packageJson from '../../../package.json' with { type: 'json' };
import { withCorrections } from '../../corrections/cli/index.ts';
import type { Io } from '../../kernel/cli/io.ts';
import { userName } from '../../kernel/cli/settings.ts';

/** Adds `mcp`. */
export function define(mcp: Command, io: Io): void {
  mcp
    .about(
      'Tools: decode_vin, decode_vins, check_vin, list_candidates, explain_decode, report_wrong_decode. Decodes return every field and are not charged. Reports go to the review queue in the database (marque corrections list).',
    )
    .example('settings for an assistant', assistantSettings())
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async () => serve(io));
}

/** Returns settings with paths: the name alone would run any package that a stranger published under it. */
function assistantSettings(): string {
  const launcher = fileURLToPath(new URL('../../../bin/marque.js', import.meta.url));
  return JSON.stringify({ mcpServers: { marque: { command: process.execPath, args: [launcher, 'mcp'] } } });
}

async function serve(io: Io): Promise<void> {
  // Loaded on demand, so that other commands do not wait for it.
  const { localBackend, serveMcp } = await import('./local.ts');
  await withCorrections(io, (corrections, decoder) => {
    const backend = localBackend(decoder, corrections, { kind: 'public', clientId: `mcp:${userName()}` });
    return serveMcp(io.stdin, io.stdout, backend, packageJson.version);
  });
}
