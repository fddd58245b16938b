import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { freePort, type Instance, instance, marque, newKey } from '../faults/fleet.ts';
import { Load } from '../faults/load.ts';
import { served } from '../faults/scene.ts';
import { accountFor, type Findings, type Stage } from './drill.ts';
import { Program, programOf, versionOf } from './programs.ts';

const ALERTS = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url));

/**
 * An alert that takes longer is missed: the longest `for` is two minutes, and figures of the database are kept for half
 * of one.
 */
const WITHIN_MS = 240_000;

/** Kills an instance, takes the mail server away, and stops the database; measures when Alertmanager has each alert. */
export async function monitoring(stage: Stage): Promise<Findings> {
  const prometheus = programOf('prometheus', 'prometheus');
  const alertmanager = programOf('prometheus-alertmanager', 'prometheus-alertmanager');
  const postgres = await PostgresCluster.start({ durable: true });
  stage.afterwards(async () => postgres.remove());
  const env = {
    DATA_DIR: stage.folder,
    DATABASE_URL: postgres.url(),
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
  };
  const metricsPorts = [await freePort(), await freePort()];
  const [first, second] = await Promise.all(
    metricsPorts.map((port) => instance({ ...env, METRICS_PORT: String(port) })),
  );
  if (first === undefined || second === undefined) throw new Error('No instances.');
  stage.afterwards(async () => Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]));
  await first.start();
  await second.start();
  const key = await newKey(env, 'drill', 'enterprise');
  const watch = await Watch.start(stage, { prometheus, alertmanager, metricsPorts });
  const load = new Load([second], key);
  await served(load, 200);
  await watch.expectQuiet();
  const rows: string[][] = [];
  const happens = async (what: string, alert: string, work: () => Promise<unknown>): Promise<void> => {
    stage.say(what);
    await work();
    rows.push([what, alert, `${Math.round((await watch.fires(alert)) / 1_000)} s`]);
  };
  await happens('an instance is killed', 'MarqueInstanceDown', async () => first.end('SIGKILL'));
  await happens('the mail server is away, and eight people want a link', 'MarqueMailWaits', () => askForLinks(second));
  const seen = await load.stop();
  await accountFor(seen, env);
  await happens('PostgreSQL is stopped', 'MarqueDatabaseDown', async () => postgres.stopServer('fast'));
  await postgres.startServer();
  await watch.ends('MarqueDatabaseDown');
  rows.push(['PostgreSQL is back', 'MarqueDatabaseDown', 'resolved']);
  await marque(env, 'db', 'verify');
  return {
    columns: ['what happens', 'alert', 'arrives after'],
    rows,
    versions: [versionOf(prometheus), versionOf(alertmanager)].map((line) => line.replace(/ \(.*/, '')),
  };
}

/** A link for a new account is sent by mail. */
async function askForLinks({ origin }: Instance): Promise<void> {
  for (let person = 0; person < 8; person++) {
    const body = new URLSearchParams({ email: `person${person}@example.com`, slug: `person-${person}` });
    const answer = await fetch(`${origin}/sign-up`, { method: 'POST', body, headers: { origin }, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status >= 400 && person === 0) throw new Error(`Nobody could sign up: ${answer.status}`);
  }
}

/** Prometheus with the rules, and Alertmanager, whose alerts are read. */
class Watch {
  readonly #api: string;

  private constructor(port: number) {
    this.#api = `http://127.0.0.1:${port}/api/v2/alerts?active=true`;
  }

  static async start(
    stage: Stage,
    setup: { prometheus: string; alertmanager: string; metricsPorts: readonly number[] },
  ): Promise<Watch> {
    const [port, managerPort] = [await freePort(), await freePort()];
    const files = (name: string): string => join(stage.folder, name);
    writeFileSync(files('alerts.yaml'), readFileSync(ALERTS));
    writeFileSync(files('prometheus.yaml'), configuration(managerPort, setup.metricsPorts));
    writeFileSync(
      files('alertmanager.yaml'),
      'route: { receiver: none, group_wait: 1s }\nreceivers: [{ name: none }]\n',
    );
    const manager = await Program.start(
      [
        setup.alertmanager,
        `--config.file=${files('alertmanager.yaml')}`,
        `--storage.path=${files('alertmanager')}`,
        `--web.listen-address=127.0.0.1:${managerPort}`,
        '--cluster.listen-address=',
      ],
      managerPort,
    );
    stage.afterwards(async () => manager.stop());
    const server = await Program.start(
      [
        setup.prometheus,
        `--config.file=${files('prometheus.yaml')}`,
        `--storage.tsdb.path=${files('prometheus')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      port,
    );
    stage.afterwards(async () => server.stop());
    return new Watch(managerPort);
  }

  /** Checks that there is no alert. @throws Error when there is one although nothing is wrong. */
  async expectQuiet(): Promise<void> {
    await sleep(15_000);
    const names = await this.#names();
    if (names.length > 0) throw new Error(`Alerts although nothing is wrong: ${names.join(', ')}`);
  }

  /** Waits for an alert. @returns after how many milliseconds it was there. */
  async fires(alert: string): Promise<number> {
    return this.#until(alert, (names) => names.includes(alert));
  }

  async ends(alert: string): Promise<number> {
    return this.#until(alert, (names) => !names.includes(alert));
  }

  async #until(alert: string, holds: (names: string[]) => boolean): Promise<number> {
    const began = performance.now();
    while (!holds(await this.#names())) {
      if (performance.now() - began > WITHIN_MS) throw new Error(`${alert} did not change in ${WITHIN_MS} ms.`);
      await sleep(500);
    }
    return performance.now() - began;
  }

  async #names(): Promise<string[]> {
    const alerts: { labels: { alertname: string } }[] = JSON.parse(await (await fetch(this.#api)).text());
    return alerts.map(({ labels }) => labels.alertname);
  }
}

function configuration(managerPort: number, metricsPorts: readonly number[]): string {
  const targets = metricsPorts.map((port) => `'127.0.0.1:${port}'`).join(', ');
  return `global: { scrape_interval: 5s, evaluation_interval: 5s }
rule_files: [alerts.yaml]
alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:${managerPort}'] }] }] }
scrape_configs: [{ job_name: marque, static_configs: [{ targets: [${targets}] }] }]
`;
}
