import { checkDigitOf, readVin, requiresCheckDigit } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

const CheckDigit = Type.Object({
  expected: Type.String({ description: 'What the other characters call for at position 9.', examples: ['3'] }),
  found: Type.String({ description: 'What stands there.', examples: ['3'] }),
  matches: Type.Boolean(),
  required: Type.Boolean({
    description:
      'Whether the market that the WMI was assigned to prescribes a check digit (North America, China). Elsewhere a difference means nothing.',
  }),
});

/** Answer of `GET /api/vin/{vin}`. */
const VinCheck = Type.Object(
  {
    wellFormed: Type.Boolean({ description: 'Whether it has the form of ISO 3779.' }),
    vin: Type.Optional(Type.String({ description: 'The VIN as it is read.', examples: ['1HGCM82633A004352'] })),
    problem: Type.Optional(Type.String({ description: 'Which character or length is wrong.' })),
    checkDigit: Type.Optional(CheckDigit),
  },
  { $id: 'VinCheck', title: 'VinCheck' },
);

const Params = Type.Object({ vin: Type.String({ description: 'The VIN to check.', examples: ['1HGCM82633A004352'] }) });

/** Whether a text is a VIN, and whether its check digit is right. Pure. */
function checkVin(text: string): Static<typeof VinCheck> {
  const form = readVin(text);
  if (form.kind === 'malformed') return { wellFormed: false, problem: form.message };
  const expected = checkDigitOf(form.vin);
  const found = form.vin.charAt(8);
  const required = requiresCheckDigit(form.vin);
  return { wellFormed: true, vin: form.vin, checkDigit: { expected, found, matches: expected === found, required } };
}

/** Adds `GET /api/vin/{vin}`: free, uncharged, and without a look at the catalog. */
export function addVinCheck(app: FastifyInstance): void {
  app.addSchema(VinCheck);
  app.get<{ Params: Static<typeof Params> }>(
    '/api/vin/:vin',
    {
      schema: {
        tags: ['decode'],
        operationId: 'checkVin',
        summary: 'Check a VIN without decoding it.',
        description: 'Free and not charged.',
        params: Params,
        response: { 200: { $ref: 'VinCheck#', description: 'What is right and wrong with it.' } },
      },
    },
    (request) => checkVin(request.params.vin),
  );
}
