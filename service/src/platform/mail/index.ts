export { openMailer, type Mailer } from './mailer.ts';
export { deliverMail, queueMail } from './outbox.ts';
export { startPost } from './post.ts';
