import { Pass } from './pass.ts';

/** Memory for the passes of one VIN, used again for the next. Its owner reads one VIN at a time. */
export class VpicScratch {
  readonly first = new Pass();
  readonly second = new Pass();
  readonly third = new Pass();
}
