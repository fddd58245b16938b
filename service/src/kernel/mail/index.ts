export { type Mailer, openMailer } from './mailer.ts';
export { claimMail, deleteMessages, deliverMail, enqueueMail, mailWorker } from './outbox.ts';
