import type { Decoder } from '@marque/decoder';

import type { ActDeps } from '../kernel/audit/index.ts';
import type { NameOf } from './fields.ts';
import type { LiveOverrides } from './live-overrides.ts';

/** The dependencies of corrections. */
export interface CorrectionParts extends ActDeps {
  /** Decodes without overrides. */
  catalog: { readonly decoder: Decoder };
  /** With overrides: what clients are answered. */
  corrected: Decoder;
  live: LiveOverrides;
  /** Folder of labeled VINs for previews; undefined: there are none. */
  labeledFolder: string | undefined;
  /** True if reporters who gave an address get mail. */
  sendsMail: boolean;
  /** Returns the names of fields for faults. */
  nameOf: NameOf;
}
