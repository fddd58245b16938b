import { gunzipSync, gzipSync } from 'node:zlib';

import type { KeptRegister } from '@marque/catalog';
import { v7 } from 'uuid';

import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { isoDay } from '../kernel/clock.ts';
import type { Decision } from './overlays.ts';

type Kysely = Database['kysely'];

/** The number of a register's patterns that determine a field, and the number of cars that support it. */
export interface SettledField {
  field: string;
  patterns: number;
  cars: number;
}

/** A register that was imported. */
export interface ImportedRegister {
  id: string;
  importedAtMs: number;
  importedBy: string;
  records: number;
  cars: number;
  fields: SettledField[];
}

/** The contents of an import. */
interface RegisterCars {
  register: string;
  records: number;
  cars: number;
  fields: readonly SettledField[];
  /** Its patterns as text. */
  patterns: string;
}

/** Stores a register's patterns in place of its earlier ones, and compiles the overlay of all registers again. */
export async function importRegisterCars(
  deps: ActDeps,
  { register: id, records, cars, fields, patterns }: RegisterCars,
  { by, reason }: Decision,
): Promise<void> {
  const day = isoDay(deps.clock());
  await replace(deps, by, {
    after: (before) => [...before.filter(({ register }) => register !== id), { register: id, imported: day, patterns }],
    write: async ({ transaction, atMs, appendEntry }) => {
      await appendEntry({ action: 'register.imported', subject: `register:${id}`, details: { records, cars, reason } });
      await transaction.deleteFrom('catalog_registers').where('id', '=', id).execute();
      await transaction
        .insertInto('catalog_registers')
        .values({
          id,
          imported_at: atMs,
          imported_by: by,
          records,
          cars,
          fields: JSON.stringify(fields),
          patterns: gzipSync(patterns).toString('base64'),
        })
        .execute();
    },
  });
}

/** Removes a register; false if it was not imported. */
export async function removeRegister(deps: ActDeps, id: string, { by, reason }: Decision): Promise<boolean> {
  const known = await importedRegisters(deps.database);
  if (!known.some((register) => register.id === id)) return false;
  await replace(deps, by, {
    after: (before) => before.filter(({ register }) => register !== id),
    write: async ({ transaction, appendEntry }) => {
      await appendEntry({ action: 'register.removed', subject: `register:${id}`, details: { reason } });
      await transaction.deleteFrom('catalog_registers').where('id', '=', id).execute();
    },
  });
  return true;
}

interface Replacement {
  after: (before: readonly KeptRegister[]) => KeptRegister[];
  write: (act: Act) => Promise<void>;
}

/** Changes the registers and their compiled overlay. Compiling takes seconds, so it is done before the transaction. */
async function replace(deps: ActDeps, by: Actor, { after, write }: Replacement): Promise<void> {
  // The compiler and its libraries took a third of a start of the service, which compiles nothing.
  const { overlayOfRegisters } = await import('@marque/catalog');
  let isDone = false;
  while (!isDone) {
    const basis = await basisOf(deps.database.kysely);
    const kept = after(await keptRegisters(deps.database.kysely));
    const overlay = kept.length === 0 ? undefined : gzipSync(overlayOfRegisters(kept).bytes).toString('base64');
    isDone = await audited(
      deps,
      by,
      async (act) => {
        // Another one has been imported in the meantime: compile with it.
        if ((await basisOf(act.transaction)) !== basis) return false;
        await write(act);
        await act.transaction.deleteFrom('catalog_register_overlay').execute();
        if (overlay === undefined) return true;
        const id = v7({ msecs: act.atMs });
        await act.transaction.insertInto('catalog_register_overlay').values({ id, overlay }).execute();
        return true;
      },
      'overlay',
    );
  }
}

async function basisOf(kysely: Kysely): Promise<string> {
  const rows = await kysely.selectFrom('catalog_registers').select(['id', 'imported_at']).orderBy('id').execute();
  return JSON.stringify(rows);
}

/** Returns the registers that were imported, without their patterns. */
export async function importedRegisters({ kysely }: Database): Promise<ImportedRegister[]> {
  const rows = await kysely
    .selectFrom('catalog_registers')
    .select(['id', 'imported_at', 'imported_by', 'records', 'cars', 'fields'])
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const fields: SettledField[] = JSON.parse(row.fields);
    const { id, imported_at: importedAtMs, imported_by: importedBy, records, cars } = row;
    return { id, importedAtMs, importedBy, records, cars, fields };
  });
}

/** Returns the registers that were imported, with their patterns. */
export async function keptRegisters(kysely: Kysely): Promise<KeptRegister[]> {
  const rows = await kysely
    .selectFrom('catalog_registers')
    .select(['id', 'imported_at', 'patterns'])
    .orderBy('id')
    .execute();
  return rows.map(({ id, imported_at, patterns }) => ({
    register: id,
    imported: isoDay(imported_at),
    patterns: gunzipSync(Buffer.from(patterns, 'base64')).toString('utf8'),
  }));
}
