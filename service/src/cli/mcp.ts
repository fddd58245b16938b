import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { Command } from './command.ts';

import packageJson from '../../package.json' with { type: 'json' };
import { labelledFolder, openConfiguredCatalog } from '../features/decode/open-catalog.ts';
import { systemClock } from '../platform/clock.ts';
import { correctedDecoder, LiveOverrides, openCorrections } from '../features/corrections/index.ts';
import { LiveCatalog } from '../features/overlay/index.ts';
import type { Io } from './io.ts';
import { withDatabase } from './settings.ts';

/** Adds `mcp`. */
export function addMcp(mcp: Command, io: Io): void {
  mcp
    .about(
      'Tools: decode_vin, decode_vins, check_vin, list_candidates, explain_decode, report_wrong_decode. Decodes are at full depth and not counted; reports go into the review queue of the database (marque corrections list).',
    )
    .example('in the settings of an assistant', assistantSettings())
    .reads('CATALOG_FILE', 'DATA_DIR', 'DATABASE_URL')
    .action(async () => serve(io));
}

/** With paths: the name alone would run whatever a stranger published under it. */
function assistantSettings(): string {
  const launcher = fileURLToPath(new URL('../../bin/marque.js', import.meta.url));
  return JSON.stringify({ mcpServers: { marque: { command: process.execPath, args: [launcher, 'mcp'] } } });
}

async function serve(io: Io): Promise<void> {
  // Loaded when asked for: other commands shall not wait for it.
  const [{ serveMcp }, { localFace }] = await Promise.all([import('../mcp/serve.ts'), import('../mcp/local.ts')]);
  await withDatabase(io, async (database, config) => {
    const catalog = await LiveCatalog.open(openConfiguredCatalog(config), database);
    const { decoder } = catalog;
    const live = await LiveOverrides.open(database);
    try {
      const face = localFace({
        decoder: correctedDecoder(decoder, live.current),
        corrections: openCorrections({
          database,
          clock: systemClock,
          decoder,
          live,
          labelledFolder: labelledFolder(),
          sendsMail: config.smtpUrl !== undefined,
        }),
        reporter: { kind: 'public', clientId: `mcp:${userInfo().username}` },
      });
      await serveMcp(io.stdin, io.stdout, face, packageJson.version);
    } finally {
      await live.close();
      await catalog.close();
    }
  });
}
