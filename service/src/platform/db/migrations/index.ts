import type { Migration } from '../migrate.ts';
import { start } from './0001-start.ts';
import { charge } from './0002-charge.ts';
import { notify } from './0003-notify.ts';
import { corrections } from './0004-corrections.ts';
import { enrichment } from './0005-enrichment.ts';
import { accounts } from './0006-accounts.ts';
import { mail } from './0007-mail.ts';
import { files } from './0008-files.ts';
import { billing } from './0009-billing.ts';
import { webhooks } from './0010-webhooks.ts';

/** Every migration, oldest first. A migration's number is its place here, counted from 1. */
export const migrations: readonly Migration[] = [
  start,
  charge,
  notify,
  corrections,
  enrichment,
  accounts,
  mail,
  files,
  billing,
  webhooks,
];
