export { emailOf, NO_EMAIL, nameFault, originOf, type AccountHoldings, type AccountParts } from './context.ts';
export { sendLinkEnded, sendLinkSent } from './link-sent.tsx';
export { NewPassword, passwordFault } from './passwords.tsx';
