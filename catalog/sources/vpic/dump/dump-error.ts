/** The file is not a vPIC dump, or is damaged. The message explains it to a person, with the remedy. */
export class DumpError extends Error {
  override name = 'DumpError';
}

/** Returns the refusal of a file that ends too early. */
export function cutShort(where: string): DumpError {
  return new DumpError(`The file is cut short: it ends ${where}. Download it again.`);
}
