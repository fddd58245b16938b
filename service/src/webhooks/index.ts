import type { SecretBox } from './secret.ts';

export { SecretBox } from './secret.ts';

/** What the pages need to manage endpoints. */
export interface WebhookParts {
  box: SecretBox;
  /** There is something to deliver. */
  wake: () => void;
}
