/** Characters that would steer a terminal or turn the writing direction. */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

const NOT_PLAIN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOR_OR_STEERING = /\u001B\[\d{1,2}m|[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The sequences that colors consist of: `paint.ts` writes no others. */
// oxlint-disable-next-line no-control-regex -- see above
const KEPT = /^(?:[\n\t]|\u001B\[(?:0|1|2|22|31|39)m)$/;

/**
 * Writes each character of a text that anybody may have sent as an escape if it would steer a terminal; line ends as
 * well.
 */
export function visible(text: string): string {
  return text.replaceAll(
    new RegExp(STEERING, 'gu'),
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Makes lines of Marque's own fit for a terminal or a log: line ends, tabs and colors stay, and whatever else would
 * steer a terminal becomes an escape, as JSON writes it.
 */
export function harmlessText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(COLOR_OR_STEERING, (found) => {
    if (KEPT.test(found)) return found;
    return [...found].map((character) => (STEERING.test(character) ? escaped(character) : character)).join('');
  });
}

/** Makes lines of strangers fit for a terminal: only line ends and tabs stay. */
export function colorlessText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(NOT_PLAIN, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
