import { expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { ENGINES, freshDatabase } from '../testing/databases.ts';
import { createWorkspace, erasedSlug } from '../workspaces/index.ts';
import { again } from './cli.ts';

test.each(ENGINES)('who has to repeat an erasure is told a name that the workspace has, on %s', async (engine) => {
  const fresh = await freshDatabase(engine);
  const database = await fresh.open('service');
  const made = await createWorkspace({ database, clock: systemClock }, { slug: 'ada', plan: 'free' }, 'cli:test');
  const id = made.kind === 'created' ? made.workspace.id : '';
  const subject = { kind: 'workspace', id, slug: 'ada' } as const;
  const now = 'marque privacy erase --workspace ada --yes';
  const erased = `marque privacy erase --workspace ${erasedSlug(id)} --yes`;
  expect(await again(database, subject, false)).toBe(now);
  await database.close();
  expect(await again(database, subject, true)).toBe(erased);
  expect(await again(database, subject, false)).toBe(`${now}; if there is no such workspace any more, ${erased}`);
  await fresh.remove();
});
