import type { ComponentChildren } from 'preact';

import type { DeliveryState } from '../tables.ts';
import { Secret } from '../../kernel/ui/copyable.tsx';
import { Field, Notice } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import type { Endpoint } from '../endpoints.ts';
import { EVENT_TYPES, EVENTS, type EventType } from '../events.ts';
import { Table } from '../../kernel/ui/table.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** The values of the form for an endpoint, and their faults. */
export interface FormState {
  url: string;
  events: readonly EventType[];
  urlFault?: string;
  eventsFault?: string;
}

/** The form that creates or changes an endpoint. */
export function EndpointForm(props: { action: string; state: FormState; button: string; isFirst: boolean }) {
  const { action, state, button, isFirst } = props;
  return (
    <PostForm class="stack report-form" action={action}>
      <Field
        label="URL"
        name="url"
        type="url"
        value={state.url}
        maxLength={2_000}
        hint="Where you receive events, such as https://example.com/webhooks. It must use HTTPS and be on the public internet."
        fault={state.urlFault}
      />
      <fieldset>
        <legend>Events</legend>
        {EVENT_TYPES.map((type) => (
          <div class="choice-row" key={type}>
            <label class="choice">
              <input type="checkbox" name="event" value={type} checked={state.events.includes(type)} />
              <code>{type}</code>
            </label>
            <span class="hint">{EVENTS[type]}</span>
          </div>
        ))}
        {state.eventsFault === undefined ? null : (
          <p class="fault" role="alert">
            {state.eventsFault}
          </p>
        )}
      </fieldset>
      <button class={isFirst ? 'first' : undefined}>{button}</button>
    </PostForm>
  );
}

/** A signing secret, shown once. */
export function NewSecret(props: { secret: string; title: string; children?: ComponentChildren }) {
  return (
    <Notice tone="good">
      <h2>{props.title}</h2>
      <p>
        This is its signing secret. It is shown only once. Store it like a password. With it, your receiver can check
        that an event comes from Marque.
      </p>
      <Secret id="new-secret">{props.secret}</Secret>
      {props.children}
    </Notice>
  );
}

interface EndpointTableProps {
  endpoints: readonly Endpoint[];
  counts: readonly { endpointId: string; state: DeliveryState; count: number }[];
  /** Path of the workspace's webhooks. */
  home: string;
}

/** A workspace's endpoints. */
export function EndpointTable({ endpoints, counts, home }: EndpointTableProps) {
  const of = (id: string, state: DeliveryState): string =>
    count(counts.find((row) => row.endpointId === id && row.state === state)?.count ?? 0);
  return (
    <Table
      rows={endpoints}
      empty="No webhooks yet. Add a URL below to receive events as they happen. Events are signed, and retried for two days if your endpoint does not answer."
      columns={[
        {
          head: 'Webhook',
          kind: 'name',
          cell: (endpoint) => (
            <>
              <a href={`${home}/${endpoint.id}`}>{endpoint.url}</a> <EndpointTag endpoint={endpoint} />
            </>
          ),
        },
        { head: 'Events', kind: 'word', cell: ({ events }) => events.join(', ') },
        { head: 'Delivered', kind: 'figure', cell: ({ id }) => of(id, 'delivered') },
        { head: 'Pending', kind: 'figure', cell: ({ id }) => of(id, 'pending') },
        { head: 'Failed', kind: 'figure', cell: ({ id }) => of(id, 'failed') },
      ]}
    />
  );
}

/** An endpoint's state as a word; nothing while it works. */
export function EndpointTag({ endpoint: { disabled, failures } }: { endpoint: Endpoint }) {
  if (disabled !== undefined) return <span class="tag bad">disabled</span>;
  return failures > 0 ? <span class="tag warn">failing</span> : null;
}
