import type { FastifyInstance, FastifyRequest } from 'fastify';

import { formOf, textField } from '../../kernel/ui/forms.ts';
import { tooManyText } from '../../kernel/ui/times.tsx';
import { personOf, setCookies } from '../guard.ts';
import { renewRecoveryCodes, turnOff, turnOn } from '../second-factor.ts';
import type { Guarded } from '../types.ts';
import type { AccountParts } from './context.ts';
import { PATH, sendCode, sendCodes, sendSetUp, sendStart, type SetUp } from './second-factor-views.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

const cookieOf = (request: FastifyRequest): string => request.headers.cookie ?? '';
const passwordOf = (request: FastifyRequest): string => formOf(request).get('password') ?? '';
const enteredIn = (request: FastifyRequest) => ({ password: passwordOf(request), cookie: cookieOf(request) });

/** Adds the pages that set up and end a second factor. */
export function addSecondFactor(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  const { accounts } = deps;

  scope.get(PATH, (_request, reply) => sendStart(reply));

  scope.get(`${PATH}/set-up`, async (request, reply) => {
    if (personOf(request).hasSecondFactor) return reply.redirect(PATH, 303);
    const { uri, recoveryCodes, fault } = deps.flash.take<SetUp & { fault: string }>(reply) ?? {};
    if (uri !== undefined && recoveryCodes !== undefined) return sendSetUp(reply, { uri, recoveryCodes }, fault);
    return sendCode(reply);
  });

  scope.get(`${PATH}/codes`, async (request, reply) => {
    personOf(request);
    return sendCodes(reply, deps.flash.take<SetUp & { isNew: boolean }>(reply));
  });

  scope.post(PATH, async (request, reply) => {
    const person = personOf(request);
    const begun = await accounts.secondFactor.begin(person, passwordOf(request), cookieOf(request));
    if (begun.kind !== 'done') return sendStart(reply, refusal(begun, 'password'));
    return deps.flash.redirect(reply, `${PATH}/set-up`, begun.value);
  });

  addConfirmation(scope, deps);

  scope.post(`${PATH}/codes`, async (request, reply) => {
    const person = personOf(request);
    const made = await renewRecoveryCodes(deps, person, enteredIn(request));
    if (made.kind !== 'done') return sendStart(reply, refusal(made, 'password'));
    return deps.flash.redirect(reply, `${PATH}/codes`, { recoveryCodes: made.value });
  });

  scope.post(`${PATH}/end`, async (request, reply) => {
    const person = personOf(request);
    const ended = await turnOff(deps, person, enteredIn(request));
    if (ended.kind !== 'done') return sendStart(reply, refusal(ended, 'password'));
    return reply.redirect('/account', 303);
  });
}

/** Adds what turns it on. */
function addConfirmation(scope: FastifyInstance, deps: AccountParts & PageKit): void {
  scope.post(`${PATH}/confirm`, async (request, reply) => {
    const code = textField(formOf(request), 'code', 12).replaceAll(' ', '');
    const person = personOf(request);
    const shown = setUpIn(formOf(request));
    const confirmed = await turnOn(deps, person, { code, shown: shown?.recoveryCodes });
    if (confirmed.kind === 'replaced') {
      return sendStart(reply, 'It was set up again in another window. Go on there, or set it up again here.');
    }
    if (confirmed.kind !== 'done') {
      const fault = refusal(confirmed, 'code');
      if (shown === undefined) return sendCode(reply, fault);
      return deps.flash.redirect(reply, `${PATH}/set-up`, { ...shown, fault });
    }
    setCookies(reply, confirmed.value);
    if (shown === undefined) return reply.redirect('/account', 303);
    return deps.flash.redirect(reply, `${PATH}/codes`, { recoveryCodes: shown.recoveryCodes, isNew: true });
  });
}

/** Reads the earlier secrets from the form, to show them again with a wrong code. */
function setUpIn(form: URLSearchParams): SetUp | undefined {
  const [uri, codes] = [form.get('uri') ?? '', form.get('codes') ?? ''];
  if (!URL.canParse(uri) || !/^[\w-]{1,40}(?: [\w-]{1,40}){0,19}$/.test(codes)) return undefined;
  return { uri, recoveryCodes: codes.split(' ') };
}

/** Returns the reason why a password or a code was not accepted. */
export function refusal(outcome: Exclude<Guarded<unknown>, { kind: 'done' }>, what: 'password' | 'code'): string {
  if (outcome.kind === 'throttled') return tooManyText(outcome.retryAfterSeconds);
  return what === 'password' ? 'The password is wrong.' : 'The code is wrong. Enter the one that your app shows now.';
}
