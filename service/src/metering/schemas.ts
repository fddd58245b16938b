import { Type } from 'typebox';

const charged = Type.Integer({ description: 'Charged decodes.', examples: [42] });

/** Body of `GET /api/usage`. */
export const UsageResponse = Type.Object(
  {
    usage: Type.Unsafe<object>({ $ref: 'UsageInfo#' }),
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'The calendar month, in UTC.', examples: ['2026-05'] }),
        charged,
        days: Type.Array(
          Type.Object({
            day: Type.String({ description: 'The day, in UTC.', format: 'date', examples: ['2026-05-20'] }),
            charged,
          }),
          { description: 'Days with charged decodes, oldest first.' },
        ),
        keys: Type.Array(
          Type.Object({
            id: Type.String({ description: 'ID of the key; empty for what people decoded in the portal.' }),
            name: Type.String({ description: 'The name of the key.', examples: ['production'] }),
            key: Type.String({
              description: 'The first and last characters of the key.',
              examples: ['mq_live_4fGh…x9Yz'],
            }),
            charged,
          }),
          { description: 'Keys with charged decodes, most used first.' },
        ),
      }),
      { description: 'The last twelve months, the current one first.' },
    ),
  },
  { $id: 'UsageResponse', title: 'UsageResponse' },
);
