import autocannon from 'autocannon';

import { type Ratio, thousands } from './ratio.ts';
import { latencies, type Latency, median, type Running, startBare, startService } from './running.ts';
import { visitors } from './visitors.ts';

export const name = 'page-load';
export const title =
  'Public pages for many visitors, and decodes with a key beside them (taking turns, median of rounds)';

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 64;
/** The rate of page loads beside the decodes. */
const PAGES_PER_SECOND = 5_000;
const PAGES = [
  ['landing page', '/'],
  ['API reference', '/docs/decode'],
] as const;

/** Loads two pages as fast as they come, and then decodes beside a steady load of the first. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const service = await startService();
  try {
    const { origin } = new URL(service.url);
    const ratios: Ratio[] = [];
    for (const [label, path] of PAGES) ratios.push(await besideBareRoute(print, label, `${origin}${path}`));
    return [...ratios, await decodesBeside(print, service, `${origin}/`)];
  } finally {
    await service.close();
  }
}

async function besideBareRoute(print: (line: string) => void, label: string, url: string): Promise<Ratio> {
  const bare = await startBare(await (await fetch(url)).text());
  const paces = { page: [] as number[], bare: [] as number[] };
  try {
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [page, floor] = [await visit(url), await visit(bare.url)];
      if (round > 0) paces.page.push(page);
      if (round > 0) paces.bare.push(floor);
    }
  } finally {
    await bare.close();
  }
  const [page, floor] = [median(paces.page), median(paces.bare)];
  print(`${label.padEnd(14)} ${thousands(page)} a second; a bare route with the same bytes ${thousands(floor)}`);
  return {
    what: `Times a second that the ${label} is served`,
    beside: 'a bare Fastify route',
    ratio: page / floor,
    users: {
      question: `How often can the ${label} be served in a second?`,
      answer: `${thousands(page)} times; a bare Fastify route serves the same bytes ${thousands(floor)} times`,
    },
  };
}

/** p99 of decodes with a key beside many visitors, and without them. */
async function decodesBeside(print: (line: string) => void, service: Running, url: string): Promise<Ratio> {
  const rounds: { alone: Latency; beside: Latency; visited: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await latencies(service);
    const [visited, beside] = await Promise.all([
      visitors({ url, perSecond: PAGES_PER_SECOND, seconds: SECONDS }),
      latencies(service),
    ]);
    rounds.push({ alone, beside, visited });
  }
  const middle = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  const [alone, beside] = [middle((round) => round.alone.p99Ms), middle((round) => round.beside.p99Ms)];
  print(
    `decodes        p99 ${alone.toFixed(1)} ms; beside ${thousands(middle(({ visited }) => visited))} pages a second ${beside.toFixed(1)} ms`,
  );
  return {
    what: `p99 of a decode beside ${thousands(PAGES_PER_SECOND)} landing pages a second`,
    beside: 'no pages',
    ratio: median(rounds.map((round) => round.beside.p99Ms / round.alone.p99Ms)),
    aim: '≤ 1.5',
  };
}

/**
 * Loads a page from a thread of its own for some seconds; gives how often it came in one.
 *
 * @throws Error when it did not.
 */
async function visit(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, workers: 1 });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
