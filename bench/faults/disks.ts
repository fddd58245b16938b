import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Drill, only, onSqlite, type Outcome, type Scene, served, timed } from './scene.ts';

const READ_ONLY_MS = 5_000;
/** The delays added to each sync, in milliseconds: a busy disk, a bad one, one that hangs. */
const SLOW_SYNC_MS = [100, 1_000, 12_000];
const SLOW_MS = 20_000;

/** Disks that are full, slow or read-only. */
export const DISK_DRILLS: Readonly<Record<string, Drill>> = {
  'disk-full': (scene) =>
    onTmpfs(scene, '6m', async (disk) =>
      onSqlite(disk, async (_fleet, load) => {
        const before = load.served;
        let last = -1;
        // Full is when nothing more is answered.
        while (last !== load.served) {
          last = load.served;
          await sleep(1_500);
        }
        execFileSync('mount', ['-o', 'remount,size=256m', disk]);
        const began = performance.now();
        await served(load, 1);
        return [
          `full after ${last - before} more decodes`,
          `answered again ${Math.round(performance.now() - began)} ms after there was room`,
        ];
      }),
    ),

  'disk-read-only': async (scene) => {
    const disk = join(scene.folder, 'disk');
    const image = join(scene.folder, 'image');
    mkdirSync(disk);
    execFileSync('truncate', ['-s', '256M', image]);
    execFileSync('mkfs.ext4', ['-q', image]);
    const mount = (): unknown => execFileSync('mount', ['-o', 'loop,errors=remount-ro', image, disk]);
    mount();
    scene.afterwards(async () => void execFileSync('umount', ['-l', disk]));
    return onSqlite(disk, async (fleet, load) => {
      const one = only(fleet);
      // Like ext4 when the disk below it fails: from one moment to the next nothing can be written.
      execFileSync('mount', ['-o', 'remount,abort', disk], { stdio: 'ignore' });
      const before = load.served;
      await sleep(READ_ONLY_MS);
      const meanwhile = load.served - before;
      const stopMs = await one.end('SIGTERM');
      execFileSync('umount', [disk]);
      mount();
      const startMs = await timed(async () => one.start());
      return [
        `read-only for ${READ_ONLY_MS} ms: ${meanwhile} decodes`,
        `stopped in ${Math.round(stopMs)} ms; the disk mounted anew; ready ${startMs} ms after its start`,
      ];
    });
  },

  'disk-slow': async ({ folder }) =>
    onSqlite(folder, async (fleet, load) => {
      const remarks: string[] = [];
      for (const delayMs of SLOW_SYNC_MS) {
        load.forgetTimes();
        const before = load.served;
        const strace = await slowSyncs(only(fleet).pid, delayMs);
        await sleep(SLOW_MS);
        const gone = once(strace, 'exit');
        strace.kill('SIGINT');
        await gone;
        const perSecond = Math.round(((load.served - before) * 1_000) / SLOW_MS);
        remarks.push(`every sync ${delayMs} ms slower: ${perSecond}/s, p99 ${load.p99Ms} ms`);
        remarks.push(`again ${await timed(async () => served(load, 100))} ms after it for 100 decodes`);
      }
      return remarks;
    }),
};

/** Makes the kernel delay every sync of a process's files to the disk. */
async function slowSyncs(pid: number, delayMs: number): Promise<ChildProcess> {
  const calls = 'fsync,fdatasync';
  const inject = `inject=${calls}:delay_enter=${delayMs * 1_000}`;
  const strace = spawn('strace', [
    '-f',
    '-q',
    '-e',
    `trace=${calls}`,
    '-e',
    inject,
    '-p',
    String(pid),
    '-o',
    '/dev/null',
  ]);
  await once(strace, 'spawn');
  await sleep(500);
  return strace;
}

async function onTmpfs(
  { folder, afterwards }: Scene,
  size: string,
  work: (disk: string) => Promise<Outcome>,
): Promise<Outcome> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
  afterwards(async () => void execFileSync('umount', ['-l', disk]));
  return work(disk);
}
