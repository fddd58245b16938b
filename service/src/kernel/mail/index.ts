export { openMailer, type Mailer } from './mailer.ts';
export { claimMail, deliverMail, enqueueMail } from './outbox.ts';
export { mailWorker } from './worker.ts';
