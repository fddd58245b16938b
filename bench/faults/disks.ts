import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Drill, onSqlite, type Outcome, type Scene, served } from './scene.ts';

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
};

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
