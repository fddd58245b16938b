import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';

import { diskFolder } from './data-folder.ts';

/** A browser on disk. */
export interface UnpackedChromium {
  file: string;
  remove(): void;
}

const UNPACK = "import('@sparticuz/chromium').then(async (it) => console.log(await it.default.executablePath()))";

/**
 * Unpacks the browser of the npm package into a folder of its own. The package would unpack it in the common temporary
 * folder, and two processes that do so at once would each run half of what the other one writes. Only an environment
 * variable selects the folder, so another process does it: here, temporary files made meanwhile would land there too.
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = diskFolder('marque-chromium-');
  const options = { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', UNPACK], options);
  return { file: stdout.trim(), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
