import * as fc from 'fast-check';

/**
 * Any character of Unicode, as a unit of `fc.string`. For its own `binary` fast-check makes a table of all 1.1 million,
 * which takes seconds and stays in memory.
 */
export const anyCharacter = fc.nat(0x10_ffff).map(
  (point) => String.fromCodePoint(point).toWellFormed(),
  (character) => String(character).codePointAt(0) ?? 0,
);
