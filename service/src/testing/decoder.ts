import type { Decoder, VehicleReport } from '@marque/decoder';

import { openSharedCatalog } from '../catalog/open.ts';

/** The catalog that was built. */
export const catalog = openSharedCatalog({ catalogFile: undefined });

/** The real decoder. */
export const { decoder } = catalog;

/** The real decoder, whose reports also contain fields that must never leave the service. */
export const talkativeDecoder: Decoder = {
  info: decoder.info,
  vpic: (vin) => decoder.vpic(vin),
  vpicFacts: decoder.vpicFacts,
  explain: (vin) => decoder.explain(vin),
  candidates: (vin, hints) => decoder.candidates(vin, hints),
  suggest: (text) => decoder.suggest(text),
  suggestInSteps: (text) => decoder.suggestInSteps(text),
  decode: talkativeReport,
  decodeToJson: (vin) => JSON.stringify(talkativeReport(vin)),
  shared: () => ({ for: talkativeReport, jsonFor: (vin) => JSON.stringify(talkativeReport(vin)) }),
};

function talkativeReport(vin: string): VehicleReport {
  const report = decoder.decode(vin);
  const internal = { confidence: 'A', notes: 'internal', sources: ['vPIC'] };
  return Object.assign({}, report, internal, { specs: { ...report.specs, confidence: 'A' } });
}
