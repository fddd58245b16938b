/** The text or file is not an acceptable table. The message is meant for its sender, and says what to change. */
export class TableError extends Error {
  override name = 'TableError';
}
