import { type Static, Type } from 'typebox';

import { nullable, oneOf } from '../../kernel/http/schemas.ts';
import type { VinFile } from '../store.ts';

/** VINs of one job. */
export const MOST_JOB_VINS = 100_000;

const moment = (description: string) => Type.String({ format: 'date-time', description });

/** The state of a job. */
export const JobResponse = Type.Object(
  {
    id: Type.String({ examples: ['019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11'] }),
    status: oneOf(
      ['queued', 'running', 'completed', 'stopped'] as const,
      'stopped: the monthly limit was reached, or the workspace is suspended. A stopped job can be resumed.',
      'queued',
    ),
    vins: Type.Integer({ description: 'How many VINs the job has.' }),
    done: Type.Integer({ description: 'How many have been processed.' }),
    charged: Type.Integer({ description: 'How many of these were decoded and charged.' }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that has been processed.' }),
    createdAt: moment('When the job was created.'),
    finishedAt: nullable(moment('When it ended or stopped.')),
    results: Type.String({ description: 'Where to get the results.', examples: ['/api/jobs/019ab3c2/results'] }),
  },
  { $id: 'JobResponse', title: 'JobResponse' },
);

/** The answer about a file. */
export function jobOf(file: VinFile): Static<typeof JobResponse> {
  return {
    id: file.id,
    status: file.state,
    vins: file.rows,
    done: file.done,
    charged: file.delivered,
    progress: file.rows === 0 ? 1 : file.done / file.rows,
    createdAt: new Date(file.createdAtMs).toISOString(),
    finishedAt: file.finishedAtMs === null ? null : new Date(file.finishedAtMs).toISOString(),
    results: `/api/jobs/${file.id}/results`,
  };
}
