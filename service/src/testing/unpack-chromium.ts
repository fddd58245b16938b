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
 * Unpacks the browser that the npm package carries into a folder of its own. The package would unpack it where everybody
 * else does, and two processes that do so at once would each run half of what the other one writes. It only asks the
 * environment where to, so another process does it: here, whatever else made a temporary folder meanwhile would be in there too.
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = diskFolder('marque-chromium-');
  const options = { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: folder } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', UNPACK], options);
  return { file: stdout.trim(), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
