export { type Mailer, openMailer } from './mailer.ts';
export { claimMail, deleteMessages, deliverMail, endMailPauses, enqueueMail, mailWorker } from './outbox.ts';
