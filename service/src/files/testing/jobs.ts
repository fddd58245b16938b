import type { LightMyRequestResponse } from 'fastify';

import type { TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';

/** A job, as the API answers. */
export interface Job {
  id: string;
  status: string;
  vins: number;
  done: number;
  charged: number;
  results: string;
}

/** The API of jobs, as a client with a key calls it. */
export interface JobClient {
  send: (key: string, payload: object | string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  get: (key: string, url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  /** Waits until a job has ended or stopped. */
  ended: (key: string, id: string) => Promise<Job>;
}

/** Returns the API of jobs of a service. */
export function jobsOf({ app }: TestService): JobClient {
  const get: JobClient['get'] = (key, url, headers = {}) =>
    app.inject({ url, headers: { 'x-api-key': key, ...headers } });
  return {
    send: (key, payload, headers = {}) =>
      app.inject({ method: 'POST', url: '/api/jobs', headers: { 'x-api-key': key, ...headers }, payload }),
    get,
    ended: async (key, id) => {
      let job: Job | undefined;
      await until(async () => {
        job = (await get(key, `/api/jobs/${id}`)).json<Job>();
        return job.status === 'completed' || job.status === 'stopped';
      });
      if (job === undefined) throw new Error('no job');
      return job;
    },
  };
}
