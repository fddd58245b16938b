import { CodeBlock } from '../../kernel/ui/copyable.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Json } from '../../report/report-view.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { examplesFor } from './examples.ts';
import { answerExample, type OpenApi } from './openapi.ts';
import { type Section, VPIC_PATH } from './sections.ts';
import { withCode } from './text.tsx';

interface QuickStartProps {
  api: OpenApi;
  sections: readonly Section[];
  baseUrl: string;
}

/** The reference's first page: from nothing to a decoded VIN in three steps, and what holds for every request. */
export function QuickStart({ api, sections, baseUrl }: QuickStartProps) {
  return (
    <>
      <h1>API reference</h1>
      <p class="lede">Decode your first VIN in three steps. The examples run as printed.</p>
      <Steps api={api} sections={sections} baseUrl={baseUrl} />
      <Basics api={api} baseUrl={baseUrl} />
      <Errors />
      <Operations sections={sections} />
    </>
  );
}

/** What there is besides the many operations of vPIC, which have a page for themselves. */
function Operations({ sections }: { sections: readonly Section[] }) {
  const own = sections.filter(({ path }) => path !== VPIC_PATH);
  return (
    <section>
      <h2>All operations</h2>
      <Table
        rows={own.flatMap(({ path, endpoints }) => endpoints.map((endpoint) => ({ section: path, ...endpoint })))}
        columns={[
          {
            head: 'Operation',
            kind: 'name',
            cell: ({ section, anchor, operation: { summary = '' } }) => (
              <a href={`${section}#${anchor}`}>{summary.replace(/\.$/, '')}</a>
            ),
          },
          { head: 'Address', kind: 'code', cell: ({ method, path }) => `${method} ${path}` },
        ]}
      />
      <p>
        Programs written for NHTSA's vPIC API run here, too: <a href={VPIC_PATH}>vPIC compatibility</a> lists its
        operations.
      </p>
    </section>
  );
}

function Steps({ api, sections, baseUrl }: QuickStartProps) {
  const endpoint = sections.flatMap(({ endpoints }) => endpoints).find(({ path }) => path === '/api/decode');
  if (endpoint === undefined) return null;
  return (
    <ol class="steps">
      <li>
        <h2>Get a key</h2>
        <p>
          <a href="/sign-up">Create an account</a>, open Keys in the portal, and create a key. It is shown once. You can
          also skip this step: without a key you get basic fields and a small monthly allowance.
        </p>
        <CodeBlock label="Set the key" code="export MARQUE_KEY=mq_live_…" />
      </li>
      <li>
        <h2>Send a VIN</h2>
        <CodeTabs id="quick-start" label="Decode a VIN" examples={examplesFor(api, endpoint, baseUrl)} />
      </li>
      <li>
        <h2>Read the answer</h2>
        <p>
          A field that the evidence does not settle is left out or <code>null</code>, never guessed.{' '}
          <a href="/docs/schemas#schema-VehicleReport">See what every field means</a>.
        </p>
        <Json value={answerExample(api, endpoint.operation)} label="Answer" />
      </li>
    </ol>
  );
}

function Basics({ api, baseUrl }: { api: OpenApi; baseUrl: string }) {
  return (
    <section>
      <h2>For every request</h2>
      {(api.info.description ?? '').split('\n\n').map((text) => (
        <p key={text}>{withCode(text)}</p>
      ))}
      <p>
        The base address is <code>{baseUrl}</code>. The machine-readable description is{' '}
        <a href="/openapi.json">openapi.json</a>, version {api.info.version}. Generate a client from it, or use{' '}
        <code>@marque/client</code> for TypeScript.
      </p>
      <p>
        To retry safely, send an <code>Idempotency-Key</code> header. Repeating the request within 24 hours returns the
        same answer and is not charged again.
      </p>
    </section>
  );
}

const ERRORS = [
  ['400', 'The body is not JSON or has no well-formed VIN.', 'Fix the request.'],
  ['401', 'The key is invalid or inactive.', 'Check the key in the portal.'],
  ['409', 'The first request with this Idempotency-Key has not finished.', 'Try again in a moment.'],
  ['413', 'The body is too large.', 'Send fewer VINs in a request.'],
  ['415', 'The body is not JSON.', 'Send content-type: application/json.'],
  ['422', 'This Idempotency-Key was used for a different request.', 'Use a new key for each request.'],
  ['429', 'The monthly limit is reached.', 'Wait until resetAt, or upgrade your plan.'],
  ['503', 'The service is busy or restarting.', 'Try again after Retry-After seconds.'],
] as const;

function Errors() {
  return (
    <section>
      <h2>Errors</h2>
      <p>
        Every error has the body <code>{'{"error": "…"}'}</code>, with a message that says what to do. Only responses
        with status 200 are charged.
      </p>
      <Table
        rows={ERRORS}
        columns={[
          { head: 'Status', kind: 'name', cell: ([status]) => status },
          { head: 'When', cell: ([, when]) => when },
          { head: 'What to do', cell: ([, , what]) => what },
        ]}
      />
    </section>
  );
}
