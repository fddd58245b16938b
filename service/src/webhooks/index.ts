import type { SecretBox } from './secret.ts';

export { SecretBox } from './secret.ts';

/** What the pages need to manage endpoints. */
export interface WebhookParts {
  box: SecretBox;
  /** Called when there is something to deliver. */
  wake: () => void;
}
