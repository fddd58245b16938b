import { vinWithin } from '@marque/catalog/tables';
import { checkDigitOf, MISTAKE_KINDS, readVin, requiresCheckDigit } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import type { BurstLimit, RateLimiter } from '../kernel/limits/token-buckets.ts';
import { errorAnswers, oneOf } from '../kernel/http/schemas.ts';
import { type PrefixInfo, infoOfPrefix } from './vin-prefix.ts';
import type { DecodeParts } from './parts.ts';

const CheckDigit = Type.Object({
  expected: Type.String({
    description: 'What the check digit should be, given the other characters.',
    examples: ['3'],
  }),
  found: Type.String({ description: 'The check digit that the VIN has.', examples: ['3'] }),
  matches: Type.Boolean(),
  required: Type.Boolean({
    description:
      'Whether the market that the WMI is assigned to requires a check digit (North America, China). Elsewhere, a difference means nothing.',
  }),
});

const Change = Type.Object({
  position: Type.Integer({
    description: 'The position in the text, from 1, not counting spaces, hyphens, and dots.',
    examples: [13],
  }),
  from: Type.String({
    description: 'What the text has there: a character, two swapped characters, or nothing.',
    examples: ['O'],
  }),
  to: Type.String({ description: 'What should be there, or nothing.', examples: ['0'] }),
  kind: oneOf(MISTAKE_KINDS, 'How the mistake may have happened.', 'look-alike'),
});

const Suggestion = Type.Object({
  vin: Type.String({ description: 'A VIN that may have been meant.', examples: ['1HGCM82633A004352'] }),
  changes: Type.Array(Change, { description: 'How this VIN differs from the text.' }),
  checkDigit: CheckDigit,
});

/** Answer of `GET /api/vin/{vin}`. */
export const VinCheck = Type.Object(
  {
    wellFormed: Type.Boolean({ description: 'Whether the VIN is well-formed under ISO 3779.' }),
    vin: Type.Optional(Type.String({ description: 'The VIN, as Marque reads it.', examples: ['1HGCM82633A004352'] })),
    problem: Type.Optional(Type.String({ description: 'Which character or length is wrong.' })),
    checkDigit: Type.Optional(CheckDigit),
    makes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Makes whose vehicles carry the WMI, from the first three characters on. Left out, like `region` and `modelYear`, if a client asks too often.',
        examples: [['Honda']],
      }),
    ),
    region: Type.Optional(Type.String({ description: 'Where the WMI is assigned.', examples: ['North America'] })),
    modelYear: Type.Optional(
      Type.String({
        description:
          'The model year that the code at position 10 stands for, where the maker uses it, from ten characters on.',
        examples: ['2003'],
      }),
    ),
    suggestions: Type.Optional(
      Type.Array(Suggestion, {
        description:
          'Present only if the VIN looks mistyped: up to five VINs that were likely meant, best first. Left out if a client, or all clients together, ask for too many.',
      }),
    ),
  },
  { $id: 'VinCheck', title: 'VinCheck' },
);

const Params = Type.Object({
  vin: Type.String({ description: 'The VIN to check, or its beginning.', examples: ['1HGCM82633A004352'] }),
});

/** Checks the form of a VIN and its check digit. */
export function checkForm(text: string): Static<typeof VinCheck> {
  const form = readVin(text);
  if (form.kind === 'malformed') return { wellFormed: false, problem: form.message };
  return { wellFormed: true, vin: form.vin, checkDigit: checkDigitIn(form.vin) };
}

function checkDigitIn(vin: string): Static<typeof CheckDigit> {
  const expected = checkDigitOf(vin);
  const found = vin.charAt(8);
  return { expected, found, matches: expected === found, required: requiresCheckDigit(vin) };
}

/**
 * The limit of answers about first characters: enough for a person who types one VIN after the other, too little to
 * enumerate them.
 */
const BEGINNINGS: BurstLimit = { burst: 60, refillMs: 10_000 };

/** Adds `GET /api/vin/{vin}`: free and uncharged. */
export function addVinCheck(app: FastifyInstance, deps: DecodeParts): void {
  const limit = deps.rateLimit('beginnings of VINs', BEGINNINGS);
  app.addSchema(VinCheck);
  app.get<{ Params: Static<typeof Params> }>(
    '/api/vin/:vin',
    {
      schema: {
        tags: ['decode'],
        operationId: 'checkVin',
        summary: 'Check a VIN without decoding it.',
        description:
          'Free. Says what is wrong with a VIN and, if it looks mistyped, which VINs were likely meant. Of the vehicle it tells only what the first characters say to everyone: the makes and the region of the WMI, and the coded model year. Takes the beginning of a VIN, too, and a text with exactly one VIN in it, such as that of a label or a bar code.',
        params: Params,
        response: {
          200: { $ref: 'VinCheck#', description: 'What is right and wrong with the VIN.' },
          ...errorAnswers({ 400: 'The address is not a valid URL path.' }),
        },
      },
    },
    (request) => check(deps, limit, request.params.vin, deps.networkOf(request)),
  );
}

async function check(
  deps: DecodeParts,
  limit: RateLimiter,
  text: string,
  client: string,
): Promise<Static<typeof VinCheck>> {
  const vin = vinWithin(text) ?? text;
  const checked = checkForm(vin);
  const form = { ...checked, ...(await beginning(deps, limit, checked.vin ?? vin, client)) };
  const found = await deps.suggestions.for(vin, client);
  if (found.length === 0) return form;
  // The reasons for a suggestion disclose its decoded values, and a decode is not free.
  return { ...form, suggestions: found.map(({ vin, changes }) => ({ vin, changes, checkDigit: checkDigitIn(vin) })) };
}

/** Blanks, hyphens and dots are dropped, as everywhere. */
const SEPARATORS = /[\s.\-\u2010-\u2015\u2212]/gu;

async function beginning(
  { decoder, clock }: DecodeParts,
  limit: RateLimiter,
  text: string,
  client: string,
): Promise<PrefixInfo> {
  // Longer texts are not VINs, whatever is dropped.
  const written = text.length > 64 ? '' : text.replace(SEPARATORS, '').toUpperCase();
  if (written.length < 3 || (await limit.take(client, clock())) > 0) return {};
  return infoOfPrefix(decoder, written);
}
