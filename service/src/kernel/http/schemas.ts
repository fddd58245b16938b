import { type TSchema, Type } from 'typebox';

/** Body of every refusal. */
export const ErrorResponse = Type.Object(
  {
    error: Type.String({
      description: 'What went wrong and what to do, for people.',
      examples: ['A VIN has 17 characters; this one has 16.'],
    }),
  },
  { $id: 'ErrorResponse', title: 'ErrorResponse' },
);

/** Pattern of a text with more than blanks in it. */
export const NOT_BLANK = String.raw`\S`;

/** Returns the schema's value or null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** Returns a text that is one of these. */
export function oneOf<Value extends string>(values: readonly Value[], description: string, example: Value) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], description, examples: [example] });
}

/** Returns an optional text field with an example for the reference. */
export function optionalText(description: string, example: string) {
  return Type.Optional(Type.String({ description, examples: [example] }));
}

/** Returns a text with a description and examples for the reference. */
export function textField(description: string, ...examples: string[]): TSchema {
  return Type.String(examples.length === 0 ? { description } : { description, examples });
}

/** Returns a response of a shared schema, with a description and headers for the reference. */
export function answerOf(name: string, description: string, headers?: Record<string, TSchema>): TSchema {
  return Type.Unsafe({ $ref: `${name}#`, description, ...(headers === undefined ? {} : { headers }) });
}

/** Headers of a refusal, besides those that the route adds. */
export const REFUSAL_HEADERS = {
  'X-Request-Id': textField('ID of the request, if it carried a key. Look it up under Requests in the portal.'),
};

/** Descriptions of refusals on most routes that have them. */
const USUAL = {
  401: 'The key is invalid or inactive, or was sent in the wrong place.',
  409: 'The first request with this Idempotency-Key is still in progress.',
  413: 'The body is too large.',
  415: 'The body is not sent as JSON.',
  422: 'The Idempotency-Key was used for a different request.',
  500: 'The service failed.',
  503: 'Too busy. Try again after Retry-After seconds.',
} as const;

/** The description of a 401 on a route that is for keys only. */
export const KEY_NEEDED = 'The key is missing, invalid, or inactive, or was sent in the wrong place.';

/**
 * Returns responses with the common error body, by status.
 *
 * @param own the meanings of statuses on this route alone.
 * @param usual statuses with their usual meaning.
 */
export function errorAnswers<Own extends number, Usual extends keyof typeof USUAL = never>(
  own: Record<Own, string>,
  usual: readonly Usual[] = [],
): Record<Own | Usual, TSchema> {
  const answers: Record<number, TSchema> = {};
  const meanings = [...usual.map((status) => [status, USUAL[status]] as const), ...Object.entries<string>(own)];
  for (const [status, meaning] of meanings) {
    answers[Number(status)] = answerOf('ErrorResponse', meaning, REFUSAL_HEADERS);
  }
  return answers;
}
