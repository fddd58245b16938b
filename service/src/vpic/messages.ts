/** NHTSA's words on lists. */
export const RESPONSE = 'Response returned successfully';
export const RESULTS = 'Results returned successfully';

/** NHTSA's words with a note, in the form of its own note on decodes. */
export function withNote(message: string, note: string): string {
  return `${message}. NOTE: ${note}`;
}
