/**
 * Something that the person at the terminal can mend: its message says what is wrong and what to do, and is shown
 * without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
