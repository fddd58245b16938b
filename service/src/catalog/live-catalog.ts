import { type Decoder, withOverlay } from '@marque/decoder';

import { Follower } from '../kernel/db/follow.ts';
import type { Database } from '../kernel/db/index.ts';

/**
 * The catalog with the overlay in force, following the database: on the instance that imports one at once, on the
 * others within two seconds. A decode does not wait for it.
 *
 * While the database is unavailable, or an overlay cannot be read, the last known state stays in force.
 */
export class LiveCatalog extends Follower {
  readonly #base: Decoder;
  #current: Decoder;
  /** The overlays in force: of registers, and of learned rows. */
  #ids = '';

  private constructor(base: Decoder, database: Database, onFault?: (error: unknown) => void) {
    super(database, 'overlay', onFault);
    this.#base = base;
    this.#current = base;
  }

  /** The decoder with the overlay that is in force at this moment: read it for each decode. */
  get decoder(): Decoder {
    return this.#current;
  }

  /**
   * Reads the overlay in force, then follows changes until it is closed.
   *
   * @param base the catalog without overlays, as `openCatalog` gave it
   * @param onFault called when a read failed, and for an overlay that this version cannot read
   */
  static open(base: Decoder, database: Database, onFault?: (error: unknown) => void): Promise<LiveCatalog> {
    return new LiveCatalog(base, database, onFault).start();
  }

  protected async read(): Promise<void> {
    const newest = await this.database.kysely
      .selectFrom('catalog_overlays')
      .select(['id', 'overlay'])
      .where('reverted_at', 'is', null)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    const registers = await this.database.kysely
      .selectFrom('catalog_register_overlay')
      .select(['id', 'overlay'])
      .executeTakeFirst();
    const ids = `${registers?.id ?? ''} ${newest?.id ?? ''}`;
    if (ids === this.#ids) return;
    // Known from here on, and not before it was read: a read that fails is tried again.
    this.#ids = ids;
    let current = this.#base;
    for (const found of [registers, newest]) if (found !== undefined) current = this.#over(current, found.overlay);
    this.#current = current;
  }

  /** Puts an overlay over a decoder. One that cannot be read leaves the others in force. */
  #over(decoder: Decoder, overlay: string): Decoder {
    try {
      return withOverlay(decoder, Buffer.from(overlay, 'base64'));
    } catch (error) {
      this.onFault(error);
      return decoder;
    }
  }
}
