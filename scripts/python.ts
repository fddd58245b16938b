// Copies the decoder, in one file, and its catalog into the Python package.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DECODER = join(ROOT, 'decoder');
const FOLDER = join(DECODER, 'python', 'src', 'marque_decoder', 'node');

mkdirSync(FOLDER, { recursive: true });
const built = await rolldown({
  input: join(DECODER, 'python', 'worker', 'dist', 'worker.js'),
  platform: 'node',
});
await built.write({ file: join(FOLDER, 'worker.mjs'), format: 'esm' });
// Expanded, since to expand it would take a third of the time to the first answer.
copyFileSync(join(ROOT, 'catalog', 'build', 'marque.catalog'), join(FOLDER, 'marque.catalog'));
for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(DECODER, file), join(FOLDER, file));
