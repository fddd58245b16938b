import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openConfiguredCatalog } from '../catalog/index.ts';
import { faultMessage, readConfig } from '../kernel/config/config.ts';
import { createLog } from '../kernel/http/log.ts';
import { openService } from '../main.ts';
import { generatedFiles } from './files.ts';

/** Writes the files into the clone, from a service with no settings. */
const dataDir = mkdtempSync(join(tmpdir(), 'marque-contract-'));
try {
  const reading = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  if (reading.kind === 'faulty') throw new Error(faultMessage(reading.faults));
  const service = await openService(reading.config, openConfiguredCatalog(reading.config), createLog('warn'));
  try {
    for (const [path, content] of await generatedFiles(service.app)) {
      writeFileSync(new URL(`../../../${path}`, import.meta.url), content);
    }
  } finally {
    await service.close();
  }
} finally {
  rmSync(dataDir, { recursive: true });
}
