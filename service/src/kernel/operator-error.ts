/**
 * A fault that the person at the terminal can fix: its message gives the fault and the remedy, and is shown without a
 * stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
