import { type TSchema, Type } from 'typebox';

import { ANSWERS } from './example-answers.ts';
import { CATALOG_HEADER } from '../../catalog/catalog.ts';
import { USAGE_HEADERS } from '../../metering/described.ts';
import { answerOf, errorAnswers, REFUSAL_HEADERS } from '../../kernel/http/schemas.ts';

const FORMAT = Type.Optional(
  Type.String({ description: 'json, xml, or csv. The default is XML, as at NHTSA.', examples: ['json'] }),
);

/** Query of every method. */
export const FormatQuery = Type.Object({ format: FORMAT });

const Value = Type.Union([Type.String(), Type.Integer(), Type.Null()]);

/** A list of things with names, such as a manufacturer's types of vehicles. */
const Values = Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Null()])));

/** Body of every answer in JSON. */
export const VpicResponse = Type.Object(
  {
    Count: Type.Integer({ description: 'How many results there are.' }),
    Message: Type.String({ description: "NHTSA's message about the results." }),
    SearchCriteria: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    Results: Type.Array(Type.Record(Type.String(), Type.Union([...Value.anyOf, Values])), {
      description: "The results, in NHTSA's field names.",
    }),
  },
  { $id: 'VpicResponse', title: 'VpicResponse' },
);

const TEXT = { type: 'string' };

function answer(operationId: string, description: string, headers: Record<string, TSchema>) {
  return {
    description,
    headers,
    content: {
      'application/json': { schema: { $ref: 'VpicResponse#' }, example: ANSWERS[operationId] },
      'application/xml': { schema: TEXT },
      'text/csv': { schema: TEXT },
    },
  };
}

/** Describes a metered method. */
export function describeDecode(operationId: string, summary: string, takesForm = false) {
  const metered = { ...USAGE_HEADERS, ...CATALOG_HEADER };
  return {
    tags: ['vpic'],
    operationId,
    summary,
    description:
      "Returns NHTSA's reading of the VIN, in the format of NHTSA's API. Charged like any decode. A partial VIN is charged if it identifies at least the manufacturer. Anything else gets NHTSA's error code and is free. Values that your plan does not include are empty.",
    security: [{}, { apiKey: [] }, { bearer: [] }, { basic: [] }, { apiKeyInQuery: [] }],
    response: {
      200: answer(operationId, 'The results.', metered),
      429: answerOf('RateLimitErrorResponse', 'The monthly limit is reached.', { ...metered, ...REFUSAL_HEADERS }),
      ...errorAnswers({
        400: 'The format is unknown, or the batch is empty or too large.',
        401: 'The key is invalid or inactive, or was sent in the wrong place.',
        500: 'The service failed.',
        503: 'Too busy. Try again after Retry-After seconds.',
      }),
      ...(takesForm ? errorAnswers({ 413: 'The form is too large.', 415: 'The body is not sent as a form.' }) : {}),
    },
  };
}

/** Describes a list, which is free. */
export function describeList(operationId: string, summary: string) {
  return {
    tags: ['vpic'],
    operationId,
    summary,
    description: "Works like NHTSA's method of the same name, with data from the catalog. Free.",
    response: {
      200: answer(operationId, 'The results.', {}),
      ...errorAnswers({
        400: 'The format is unknown, or a parameter is missing or invalid.',
        500: 'The service failed.',
      }),
    },
  };
}
