import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes an empty folder that other users can enter, as servers that give up root are. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marque-drill-'));
  chmodSync(folder, 0o755);
  return folder;
}
