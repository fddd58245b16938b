import type { FastifyInstance } from 'fastify';
import { type TObject, Type } from 'typebox';

import { askedFormat, sendList } from './answer.ts';
import { describeList, FormatQuery } from './describe.ts';
import type { Document } from './formats.ts';

/** What lists are asked by: each has some of these, held to its `params` and `query`. */
export type Asked = Readonly<
  Partial<
    Record<
      | 'wmi'
      | 'manufacturer'
      | 'make'
      | 'makeId'
      | 'model'
      | 'modelyear'
      | 'vehicleType'
      | 'variable'
      | 'ManufacturerType'
      | 'page'
      | 'year'
      | 'units'
      | 'type'
      | 'fromDate'
      | 'toDate'
      | 'equipmentType'
      | 'reportType',
      string
    >
  >
>;

/** What a list needs: its address, its words in the API's description, and the list itself. */
export interface List {
  path: string;
  operationId: string;
  summary: string;
  params?: TObject;
  /** What it takes beside `format`. */
  query?: TObject;
  document: (asked: Asked) => Document;
}

/** Adds a list: free, and the same for everybody. */
export function addList(app: FastifyInstance, { path, operationId, summary, params, query, document }: List): void {
  app.get<{ Params: Asked; Querystring: Asked & { format?: string } }>(
    `/api/vehicles/${path}`,
    {
      config: { etag: true },
      schema: {
        ...describeList(operationId, summary),
        ...(params === undefined ? {} : { params }),
        querystring: Type.Object({ ...FormatQuery.properties, ...query?.properties }),
      },
    },
    (request, reply) => {
      const format = askedFormat(request.query.format);
      return sendList(reply, document({ ...request.query, ...request.params }), format);
    },
  );
}
