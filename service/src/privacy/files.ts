import type { Database } from '../kernel/db/index.ts';
import { maskVinIn } from '../kernel/mask-vin.ts';

/** Masks a VIN in all uploaded files. @returns how many files contained it. */
export async function eraseFromFiles({ kysely }: Database, vin: string): Promise<number> {
  const files = await kysely.selectFrom('vin_files').select('id').execute();
  let changed = 0;
  // One at a time: a file may have megabytes.
  for (const { id } of files) {
    const file = await kysely.selectFrom('vin_files').select('source').where('id', '=', id).executeTakeFirst();
    const source = maskVinIn(file?.source ?? '', vin);
    if (file === undefined || source === file.source) continue;
    await kysely.updateTable('vin_files').set({ source }).where('id', '=', id).execute();
    changed += 1;
  }
  return changed;
}
