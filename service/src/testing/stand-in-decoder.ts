import { type Decoder, segmentsOf } from '@marque/decoder';

/** Knows one vehicle and cuts every other VIN into its segments: for tests that are not about decoding. */
export const standInDecoder: Decoder = {
  info: { hash: '', formatVersion: 1, bytes: 0, wmis: 0, vpicSchemas: 0, vpicRows: 0, worldProfiles: 0, worldRows: 0 },
  decode: (vin) => ({
    vin,
    ...segmentsOf(vin),
    validFormat: true,
    bodyStyleNormalized: 'unknown',
    ...(vin === '1HGCM82633A004352' ? ACCORD : {}),
  }),
  vpic: () => [],
  explain(vin) {
    return { report: this.decode(vin), fields: [], reading: 'stand-in' };
  },
};

const ACCORD = {
  manufacturer: 'Honda',
  model: 'Accord',
  modelYear: '2003',
  bodyStyle: 'Coupe',
  bodyStyleNormalized: 'coupe',
  region: 'North America',
  specs: { engine: '3.0L V6', powerKw: 179 },
  // Nothing that the response schema does not list may leave, whatever a decoder puts into its report.
  confidence: 'A',
  notes: 'internal',
} as const;
