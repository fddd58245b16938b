import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts that leave the process, each for one place only: a row, or a page. */
export class SecretBox {
  readonly #key: Uint8Array;

  /**
   * Derives the key.
   * @param instanceSecret the secret that all instances share.
   * @param purpose the kind of data: another purpose has another key.
   */
  constructor(instanceSecret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', instanceSecret, '', purpose, 32));
  }

  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /**
   * Opens a sealed text. @throws Error when it was sealed for another place or purpose, or by another instance's
   * secret.
   */
  open(sealed: string, place: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}
