import { randomBytes } from 'node:crypto';

import type { Database } from '../kernel/db/index.ts';
import { replaceTexts, rowsWithText, type TextRow } from '../kernel/db/texts.ts';
import { maskVinIn, maskVinInJson } from '../kernel/mask-vin.ts';
import type { ExportedRecord } from '../kernel/privacy.ts';

/** Decodes are found by their VIN, and a report names no other one. */
const DECODES = ['decodes'];

/** Its entries are chained by hashes: a VIN is masked before it gets in. */
export const AUDIT: readonly string[] = ['audit_log', 'audit_head'];

/** People sign in with what it holds: it is changed by them, or deleted. */
const PEOPLE = ['auth_users'];

/** The address of a workspace: its pages would be gone. */
const ADDRESS = 'slug';

/** Characters that are shown around a VIN. */
const AROUND = 60;

/**
 * Yields where a VIN is mentioned in what people and programs wrote: names and contents of files, notes about other
 * vehicles, bodies of events, names of keys, keys of idempotent requests. Records that are about the VIN are their
 * slices'.
 */
export async function* mentionsOf(database: Database, vin: string): AsyncGenerator<ExportedRecord> {
  for await (const row of rowsWithText(database, vin, DECODES)) {
    for (const [column, text] of Object.entries(maskedIn(row, vin))) {
      const stored = row.texts[column] ?? '';
      let at = 0;
      while (at < stored.length && stored[at] === text[at]) at += 1;
      const found = stored.slice(Math.max(0, at - AROUND), at + vin.length + AROUND);
      yield { kind: 'mention', table: row.table, ...row.key, column, text: found };
    }
  }
}

/** Masks a VIN wherever it is mentioned. @returns in how many rows. */
export async function maskMentions(database: Database, vin: string): Promise<number> {
  let changed = 0;
  for await (const row of rowsWithText(database, vin, [...DECODES, ...AUDIT, ...PEOPLE])) {
    const { [ADDRESS]: _, ...texts } = maskedIn(row, vin);
    // Two VINs that differ in their serial numbers alone would get the same key.
    for (const name of Object.keys(texts)) if (name in row.key) texts[name] += `-${randomBytes(6).toString('hex')}`;
    if (Object.keys(texts).length > 0 && (await replaceTexts(database, row, texts))) changed += 1;
  }
  return changed;
}

/** Returns the texts of a row that mention the VIN, masked; none where the row is about it. */
function maskedIn({ texts }: TextRow, vin: string): Record<string, string> {
  if (texts['vin'] === vin) return {};
  const masked: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (text === null) continue;
    const without = isJson(text) ? maskVinInJson(text, vin) : maskVinIn(text, vin);
    if (without !== text) masked[name] = without;
  }
  return masked;
}

function isJson(text: string): boolean {
  if (!/^[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
