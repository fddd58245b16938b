export { openMailer, type Mail, type Mailer } from './mailer.ts';
export { deliverMail, queueMail, type Delivery } from './outbox.ts';
export { startPost } from './post.ts';
