import { BODY_STYLES } from '@marque/decoder';

import type { Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import {
  badgeRewrites,
  bodyCorrections,
  familyBodies,
  fuelNames,
  nameCorrections,
  trimExceptions,
  valueCorrections,
} from '../values/index.ts';

/**
 * Writes what people call cars and see of them where NHTSA's tables say otherwise, and the bodies of whole families:
 * the sections `corrected.*`.
 */
export function compileCorrections(strings: StringTable, sections: Sections): void {
  const write = (kind: string, rows: readonly { from: number; to: number; words: readonly string[] }[]): void => {
    const years = rows.flatMap(({ from, to }) => [from, to]);
    const words = rows.flatMap((row) => row.words.map((word) => strings.id(word)));
    sections.set(`corrected.${kind}.years`, Uint16Array.from(years));
    sections.set(`corrected.${kind}.words`, Uint32Array.from(words));
  };
  write(
    'name',
    nameCorrections().map(({ make, model, from, to, vin, text, rightMake, rightModel }) => ({
      from,
      to,
      words: [make, model, vin, text, rightMake, rightModel],
    })),
  );
  write(
    'value',
    valueCorrections().map(({ make, model, from, to, vin, text, field, instead, right }) => ({
      from,
      to,
      words: [make, model, vin, text, field, instead, right],
    })),
  );
  // Rows of several makes share a trim, and notes are cut from others: the name of a trim is looked up again in the
  // end.
  const trims = trimExceptions().flatMap(({ make, text, trim }) => [make, text, trim]);
  sections.set(
    'corrected.trim.words',
    Uint32Array.from(trims, (word) => strings.id(word)),
  );
  write(
    'badge',
    badgeRewrites().map(({ make, pattern, replacement, model, from, to, body, drive }) => ({
      from,
      to,
      words: [make, pattern, replacement, model, body, drive],
    })),
  );
  const bodies = bodyCorrections();
  write(
    'body',
    bodies.map(({ make, model, from, to, vin, text, label }) => ({
      from,
      to,
      words: [make, model, vin, text, label],
    })),
  );
  const styles = bodies.flatMap(({ instead, body }) => [BODY_STYLES.indexOf(instead), BODY_STYLES.indexOf(body)]);
  sections.set('corrected.body.styles', Uint8Array.from(styles));
  compileFamilies(strings, sections);
  compileFuelNames(strings, sections);
}

/** Writes the bodies of whole families. */
function compileFamilies(strings: StringTable, sections: Sections): void {
  const families = familyBodies();
  const words = families.flatMap(({ make, model, generation, usual, label }) => [
    make,
    model,
    generation,
    usual,
    label,
  ]);
  sections.set(
    'corrected.family.words',
    Uint32Array.from(words, (word) => strings.id(word)),
  );
  sections.set(
    'corrected.family.styles',
    Uint8Array.from(families, ({ body }) => BODY_STYLES.indexOf(body)),
  );
}

/** Writes the names that give a fuel. */
function compileFuelNames(strings: StringTable, sections: Sections): void {
  const words = fuelNames().flatMap(({ make, pattern, fuel }) => [make, pattern, fuel]);
  sections.set(
    'corrected.fuel.words',
    Uint32Array.from(words, (word) => strings.id(word)),
  );
}
