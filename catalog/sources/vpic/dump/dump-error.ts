/** The file is no vPIC dump, or is damaged. The message says so to a person, with what to do. */
export class DumpError extends Error {
  override name = 'DumpError';
}

/** How a file that ends too early is refused. */
export function cutShort(where: string): DumpError {
  return new DumpError(`The file is cut short: it ends ${where}. Download it again.`);
}
