import type { Decoder } from '@marque/decoder';

import { openConfiguredCatalog } from '../features/decode/open-catalog.ts';

/** The real decoder, on the catalog that was built. */
export const decoder: Decoder = openConfiguredCatalog({ catalogFile: undefined });

/** The real decoder, whose reports also hold what must never leave the service. */
export const talkativeDecoder: Decoder = {
  info: decoder.info,
  vpic: (vin) => decoder.vpic(vin),
  vpicFacts: decoder.vpicFacts,
  explain: (vin) => decoder.explain(vin),
  candidates: (vin, hints) => decoder.candidates(vin, hints),
  suggest: (text) => decoder.suggest(text),
  suggestInSteps: (text) => decoder.suggestInSteps(text),
  decode(vin) {
    const report = decoder.decode(vin);
    const internal = { confidence: 'A', notes: 'internal', sources: ['vPIC'] };
    return Object.assign({}, report, internal, { specs: { ...report.specs, confidence: 'A' } });
  },
};
