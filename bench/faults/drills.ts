import { CLIENT_DRILLS } from './clients.ts';
import { DATABASE_DRILLS } from './databases.ts';
import { DISK_DRILLS } from './disks.ts';
import { CLOCK_DRILLS } from './clock.ts';
import { LIMIT_DRILLS } from './limits.ts';
import { PROCESS_DRILLS } from './processes.ts';
import type { Drill } from './scene.ts';

/** The drills, by name. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  ...PROCESS_DRILLS,
  ...DATABASE_DRILLS,
  ...DISK_DRILLS,
  ...CLIENT_DRILLS,
  ...LIMIT_DRILLS,
  ...CLOCK_DRILLS,
};
