import type { LightMyRequestResponse } from 'fastify';
import { Stripe } from 'stripe';

import { systemClock } from '../../kernel/clock.ts';
import { type Engine, freshDatabase } from '../../testing/databases.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { Billing } from '../billing.ts';
import { StandInStripe } from './stand-in-stripe.ts';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const SECRET_KEY = 'sk_test_of_the_tests';
const PRICES = { starter: 'price_starter', business: 'price_business' };

/** A service that takes payments, and who plays Stripe. */
export interface TestBilling {
  service: TestService;
  stripe: StandInStripe;
  /** Sends an event about a subscription, by default the one of `stripe.subscription`. */
  sendEvent: (type: string, id?: string, secret?: string) => Promise<LightMyRequestResponse>;
  /** Returns what background work of the service has: its own does not run. */
  own: () => Billing;
  close: () => Promise<void>;
}

/** Opens a service that takes payments. */
export async function billingOn(engine: Engine): Promise<TestBilling> {
  const stripe = new StandInStripe();
  const fresh = await freshDatabase(engine);
  const apiUrl = await stripe.url();
  const { databaseUrl } = fresh.location;
  const service = await testService({
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICE_STARTER: PRICES.starter,
    STRIPE_PRICE_BUSINESS: PRICES.business,
    STRIPE_API_URL: apiUrl,
  });
  return {
    service,
    stripe,
    sendEvent: (type, id = 'sub_1', secret = WEBHOOK_SECRET) => {
      const payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type,
        data: { object: { id, object: 'subscription' } },
      });
      const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      return service.app.inject({ method: 'POST', url: '/billing/stripe', headers, payload });
    },
    own: () =>
      new Billing({
        config: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, prices: PRICES, apiUrl },
        planLimits: { free: 100, starter: 1_000, business: 5_000, enterprise: null },
        database: service.database,
        clock: systemClock,
        log: service.app.log,
      }),
    close: async () => {
      await service[Symbol.asyncDispose]();
      stripe.close();
      await fresh.remove();
    },
  };
}
