import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of the examples with the package installed beside them, as its user has it. */
export interface Installed extends Disposable {
  /** The folder of the examples. */
  folder: string;
  /** Paths inside the package, as published. */
  files: string[];
  /** Size of what is downloaded to install it. */
  packedBytes: number;
}

/**
 * Packs the decoder as it would be published, and installs it beside the examples.
 *
 * @param options `withScripts`: npm builds it first, whatever the machine says of scripts. Otherwise it is as it was built last.
 */
export async function installPacked(options: { withScripts?: boolean } = {}): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'marque-decoder-'));
  const home = join(folder, 'node_modules', '@marque', 'decoder');
  mkdirSync(home, { recursive: true });
  const { stdout } = await run(
    'npm',
    [
      'pack',
      '--workspace',
      'decoder',
      `--ignore-scripts=${!options.withScripts}`,
      '--json',
      '--pack-destination',
      folder,
    ],
    { cwd: PROJECT },
  );
  const packed = packedOf(JSON.parse(stdout));
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  for (const example of ['node', 'browser', 'csv']) {
    cpSync(join(PROJECT, 'decoder', 'examples', example), join(folder, example), { recursive: true });
  }
  for (const page of ['browser', 'csv']) {
    cpSync(join(folder, 'node_modules'), join(folder, page, 'node_modules'), { recursive: true });
  }
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** npm prints a list, or from version 12 on an object by package name. */
function packedOf(printed: Packed[] | Record<string, Packed>): Packed {
  const [packed] = Object.values(printed);
  if (packed === undefined) throw new Error('npm packed nothing.');
  return packed;
}
