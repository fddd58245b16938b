/**
 * A text that anybody may have sent, fit for a terminal: characters that would steer it or turn the writing direction
 * are written as escapes.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
