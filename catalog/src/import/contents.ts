import type { Hash } from 'node:crypto';

import { TableError } from '../../sources/specs/open-table.ts';

/** The contents of the files of a register, to refuse one that comes twice: its vehicles would count twice. */
export class Contents {
  /** The first file of each content, by its hash. */
  readonly #files: Map<string, string>;

  /** @param noted those of an import that was stopped */
  constructor(noted: Iterable<readonly [hash: string, file: string]> = []) {
    this.#files = new Map(noted);
  }

  /**
   * Notes a file that was read.
   *
   * @param hash of all its unpacked bytes
   * @throws TableError where an earlier file has the same.
   */
  note(file: string, hash: Hash): void {
    const content = hash.digest('hex');
    const other = this.#files.get(content);
    if (other !== undefined) {
      throw new TableError(`${file} has the same content as ${other}, and would count twice: give one of them only.`);
    }
    this.#files.set(content, file);
  }

  list(): [hash: string, file: string][] {
    return [...this.#files];
  }
}
