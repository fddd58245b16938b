import { type Static, Type } from 'typebox';

import { oneOf } from '../../kernel/http/schemas.ts';
import { DecodeMetadata, type UsageInfo } from '../schemas.ts';

/** VINs in one request of someone with a key. */
const MOST_VINS = 1000;
/** VINs in one request of someone without. */
export const MOST_VINS_PUBLIC = 10;

const EXAMPLE = ['1HGCM82633A004352', 'WVWZZZ1KZAW000001'];

/** Body of `POST /api/decode/batch`. */
export const BatchRequest = Type.Object(
  {
    vins: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MOST_VINS,
      description: `The VINs, each in the form that \`POST /api/decode\` accepts. At most ${MOST_VINS.toLocaleString('en-US')}, or ${MOST_VINS_PUBLIC} without a key.`,
      examples: [EXAMPLE],
    }),
  },
  { $id: 'BatchRequest', title: 'BatchRequest', examples: [{ vins: EXAMPLE }] },
);

/** The statuses of one VIN of a batch. */
const BATCH_STATUSES = ['decoded', 'invalid', 'enrichment_pending', 'limit_reached'] as const;

/** One VIN of a batch. */
export const BatchResult = Type.Object(
  {
    vin: Type.String({ description: 'The VIN as it was sent.', examples: ['1HGCM82633A004352'] }),
    status: oneOf(
      BATCH_STATUSES,
      'decoded: has a `report` and is charged. invalid: not a VIN; `error` says why. enrichment_pending: the VIN is still being looked up; send it again after `retryAfterSeconds`. limit_reached: the monthly limit was reached before this VIN. Only decoded VINs are charged.',
      'decoded',
    ),
    requestId: Type.Optional(
      Type.String({
        description:
          'ID of the stored decode. Quote it when you ask about this decode. A single decode has it in `X-Request-Id`.',
      }),
    ),
    report: Type.Optional(Type.Unsafe<object>({ $ref: 'VehicleReport#' })),
    premiumFieldsAvailable: Type.Optional(
      Type.Integer({
        description:
          'How many values this vehicle has beyond the nine basic fields, as in the metadata of a single decode.',
      }),
    ),
    error: Type.Optional(Type.String({ description: 'What is wrong and what to do, for people.' })),
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  },
  { $id: 'BatchResult', title: 'BatchResult' },
);

const COUNTS = {
  charged: Type.Integer({ description: 'How many of the VINs were decoded and charged.', examples: [2] }),
  usage: Type.Unsafe<Static<typeof UsageInfo>>({ $ref: 'UsageInfo#' }),
  metadata: Type.Optional(Type.Omit(DecodeMetadata, ['premiumFieldsAvailable'])),
};

/** Body of a batch's 200. */
export const BatchResponse = Type.Object(
  {
    results: Type.Array(Type.Unsafe<Static<typeof BatchResult>>({ $ref: 'BatchResult#' }), {
      description: 'One for each VIN, in the order of the request.',
    }),
    ...COUNTS,
  },
  { $id: 'BatchResponse', title: 'BatchResponse' },
);

/** The last line of a streamed batch. */
export const BatchEnd = Type.Object(COUNTS, { $id: 'BatchEnd', title: 'BatchEnd' });
