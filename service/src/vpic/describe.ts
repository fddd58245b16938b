import { type TSchema, Type } from 'typebox';

import { ANSWERS } from './example-answers.ts';
import { CATALOG_HEADER } from '../features/decode/catalog.ts';
import { usageHeaders } from '../features/decode/usage-answer.ts';
import { answerOf, errorAnswers } from '../platform/http/schemas.ts';

const FORMAT = Type.Optional(
  Type.String({ description: 'json, xml or csv; without it XML, as NHTSA has it.', examples: ['json'] }),
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
    Message: Type.String({ description: "NHTSA's word on the results." }),
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
export function describeDecode(operationId: string, summary: string, headerBrand: string, takesForm = false) {
  const metered = { ...usageHeaders(headerBrand), ...CATALOG_HEADER };
  return {
    tags: ['vpic'],
    operationId,
    summary,
    description:
      "NHTSA's reading of the VIN, in the shape of NHTSA's API. Charged like any decode, in every format. A partial VIN is charged when it tells at least the manufacturer. Anything else is answered with NHTSA's error code and is free. Values that your plan does not include are empty.",
    security: [{}, { apiKey: [] }, { bearer: [] }, { basic: [] }, { apiKeyInQuery: [] }],
    response: {
      200: answer(operationId, 'The results.', metered),
      429: answerOf('RateLimitErrorResponse', 'The monthly limit is reached.', metered),
      ...errorAnswers({
        400: 'There is no such format, or the batch is empty or too large.',
        401: 'The key is invalid or inactive, or is not where a key belongs.',
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
    description: "Answers like NHTSA's method of the same name, from the catalog. Free.",
    response: {
      200: answer(operationId, 'The results.', {}),
      ...errorAnswers({
        400: 'There is no such format, or what the address asks by is missing or not what it should be.',
        500: 'The service failed.',
      }),
    },
  };
}
