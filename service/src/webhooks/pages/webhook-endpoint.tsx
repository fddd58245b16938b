import { CodeBlock } from '../../kernel/ui/copyable.tsx';
import { Notice, NoticeText, PostButton } from '../../kernel/ui/fields.tsx';
import { Moment } from '../../kernel/ui/times.tsx';
import type { Delivery } from '../deliveries.ts';
import { type Endpoint, WHY_DISABLED } from '../endpoints.ts';
import { EndpointForm, EndpointTag, type FormState, NewSecret } from './webhook-views.tsx';
import { closes, Confirm, Dialog, opens } from '../../kernel/ui/confirm.tsx';
import { Table } from '../../kernel/ui/table.tsx';

/** The result of an action on an endpoint. */
export interface EndpointResult {
  done?: string;
  failed?: string;
  /** A new secret, to be shown once. */
  secret?: string;
  /** A form with invalid values. */
  form?: FormState;
}

interface EndpointView {
  endpoint: Endpoint;
  deliveries: readonly Delivery[];
  /** The event behind which they begin; undefined: they are the latest. */
  after: string | undefined;
  /** The event of the last of them, if there are older ones. */
  olderThan: string | undefined;
  /** Path of the workspace's webhooks. */
  home: string;
}

/** The page of one endpoint. */
export function EndpointPage(view: EndpointView & { result: EndpointResult; nowMs: number }) {
  const { endpoint, home, result, nowMs } = view;
  const path = `${home}/${endpoint.id}`;
  return (
    <>
      <ResultNotice result={result} />
      <p>
        <code class="url">{endpoint.url}</code> <EndpointTag endpoint={endpoint} />
      </p>
      <EndpointState endpoint={endpoint} nowMs={nowMs} />
      <Actions endpoint={endpoint} path={path} />
      <LatestDeliveries {...view} />
      <section>
        <h2>Change the webhook</h2>
        <EndpointForm action={path} state={result.form ?? endpoint} button="Save" isFirst={false} />
      </section>
      <p>
        <a href={home}>All webhooks</a>
      </p>
    </>
  );
}

function ResultNotice({ result }: { result: EndpointResult }) {
  if (result.secret !== undefined) {
    return (
      <NewSecret secret={result.secret} title="The new signing secret">
        <p>For 24 hours, every event is also signed with the old secret. Update your receiver within that time.</p>
      </NewSecret>
    );
  }
  return <NoticeText tone={result.failed === undefined ? 'good' : 'bad'} text={result.failed ?? result.done} />;
}

function EndpointState({ endpoint, nowMs }: { endpoint: Endpoint; nowMs: number }) {
  const { disabled, failures, failingSinceMs, oldSecretUntilMs } = endpoint;
  return (
    <>
      {disabled === undefined ? null : (
        <Notice tone="bad">
          <p>
            Disabled on <Moment ms={disabled.atMs} />. {WHY_DISABLED[disabled.why]} Its pending deliveries have failed.
            Once the webhook is enabled, you can send them again below.
          </p>
        </Notice>
      )}
      {disabled !== undefined || failures === 0 || failingSinceMs === null ? null : (
        <Notice tone="warn">
          <p>
            Nothing has been delivered since <Moment ms={failingSinceMs} />. Marque now tries one event at a time, and
            disables the webhook after two days without success.
          </p>
        </Notice>
      )}
      {oldSecretUntilMs === null || oldSecretUntilMs <= nowMs ? null : (
        <p class="hint">
          Events are also signed with the secrets before this one until <Moment ms={oldSecretUntilMs} />.
        </p>
      )}
    </>
  );
}

function Actions({ endpoint, path }: { endpoint: Endpoint; path: string }) {
  const isOn = endpoint.disabled === undefined;
  return (
    <div class="acts">
      {isOn ? (
        <PostButton action={`${path}/test`} label="Send a test event" look="first" />
      ) : (
        <PostButton action={`${path}/enable`} label="Enable" look="first" />
      )}
      <Confirm
        id="rotate"
        label="Rotate the secret"
        act="Rotate the secret"
        says="The new secret is shown once. For 24 hours, every event is also signed with the old one."
        action={`${path}/rotate`}
        isHarmless
      />
      {isOn ? (
        <Confirm
          id="disable"
          label="Disable"
          act="Disable the webhook"
          says="It receives no more events. Pending deliveries fail, but you can send them again later."
          action={`${path}/disable`}
        />
      ) : null}
      <Confirm
        id="remove"
        label="Remove"
        act="Remove the webhook"
        says="The webhook, its secret, and its list of deliveries are deleted at once."
        action={`${path}/remove`}
      />
    </div>
  );
}

/** Returns true if a delivery waits for its first attempt. */
export function isMoving(deliveries: readonly Delivery[]): boolean {
  return deliveries.some(({ state, attempts }) => state === 'pending' && attempts === 0);
}

/** Recent and pending deliveries; refreshes itself while any are pending. */
export function LatestDeliveries({ endpoint, deliveries, after, olderThan, home }: EndpointView) {
  const path = `${home}/${endpoint.id}`;
  const shown = after === undefined ? path : `${path}?after=${encodeURIComponent(after)}`;
  const again = isMoving(deliveries) ? { 'hx-get': shown, 'hx-trigger': 'every 1s', 'hx-swap': 'outerHTML' } : {};
  return (
    <section id="deliveries" aria-live="polite" {...again}>
      <h2>{after === undefined ? 'Latest deliveries' : 'Older deliveries'}</h2>
      <Table
        rows={deliveries}
        more={olderThan === undefined ? undefined : { href: `${path}?after=${olderThan}`, text: 'Older deliveries' }}
        empty={
          after === undefined
            ? 'No events yet. Deliveries are listed here for 30 days. Send a test event to try it.'
            : 'No older deliveries.'
        }
        columns={[
          { head: 'Event', kind: 'name', cell: ({ type }) => type },
          { head: 'Happened', cell: ({ createdAtMs }) => <Moment ms={createdAtMs} /> },
          { head: 'State', cell: (delivery) => <State delivery={delivery} /> },
          { head: 'Last answer', cell: answerText },
          { head: 'Attempts', kind: 'figure', cell: ({ attempts }) => attempts },
          {
            head: 'Actions',
            kind: 'actions',
            cell: (delivery) => (
              <>
                <Sent delivery={delivery} />
                {delivery.state === 'failed' && endpoint.disabled === undefined ? (
                  <PostButton
                    action={`${path}/deliveries/${delivery.eventId}/again`}
                    label="Send again"
                    look="small"
                    says={`Send again: ${delivery.type}`}
                  />
                ) : null}
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

/** Shows a sent payload, in a dialog: bodies are long. */
function Sent({ delivery: { eventId, type, body } }: { delivery: Delivery }) {
  const id = `sent-${eventId}`;
  return (
    <>
      <button {...opens(id)} class="small" aria-haspopup="dialog" aria-label={`Show the event ${eventId}`}>
        Show the event
      </button>
      <Dialog id={id}>
        <h2 id={`${id}-title`}>{type}</h2>
        <dl class="sent">
          <dt>webhook-id</dt>
          <dd>
            <code>{eventId}</code>
          </dd>
          <dt>Body</dt>
          <dd>
            <CodeBlock label="Body" code={JSON.stringify(JSON.parse(body), null, 2)} />
          </dd>
        </dl>
        <button {...closes(id)}>Close</button>
      </Dialog>
    </>
  );
}

function State({ delivery: { state, attempts, runAtMs } }: { delivery: Delivery }) {
  if (state === 'delivered') return <span class="tag good">delivered</span>;
  if (state === 'failed') return <span class="tag bad">failed</span>;
  if (attempts === 0 || runAtMs === null) return <span class="tag">pending</span>;
  return (
    <>
      <span class="tag warn">retrying</span>
      <small>
        next attempt <Moment ms={runAtMs} />
      </small>
    </>
  );
}

/** Explanations of failures for the person who has to fix them. */
const FAULTS: Readonly<Record<string, string>> = {
  'address not allowed': 'Its host name resolves to an address that is not public',
  'too many addresses': 'Its host name has more than 64 addresses',
  'too slow': 'No answer within 15 seconds',
  'name not found': 'Its host name does not resolve',
  'certificate not trusted': 'Its certificate is not trusted',
  'connection refused': 'It refused the connection',
  'connection broke': 'The connection broke',
  'secret not readable': 'Not sent: its signing secret can no longer be read. Rotate the secret',
  'endpoint disabled': 'Not sent: the webhook was disabled',
};

function answerText({ status, lastError, attempts }: Delivery): string {
  if (lastError !== null) return FAULTS[lastError] ?? lastError;
  if (status !== null) return `HTTP ${status}`;
  return attempts === 0 ? '–' : 'None';
}
