import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Json } from '../../report/report-view.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { examplesFor } from './examples.ts';
import type { OpenApi } from './openapi.ts';
import { type Section, VPIC_PATH } from './sections.ts';
import { withCode } from './text.tsx';

/** What the service answers, by who asks. */
export interface ExampleAnswer {
  name: string;
  body: unknown;
}

interface QuickStartProps {
  answers: readonly ExampleAnswer[];
  api: OpenApi;
  sections: readonly Section[];
  baseUrl: string;
}

/** The reference's first page: from nothing to a decoded VIN in three steps, and what holds for every request. */
export function QuickStart({ api, sections, baseUrl, answers }: QuickStartProps) {
  return (
    <>
      <h1>API reference</h1>
      <p class="lede">Decode your first VIN in three steps. The examples run as printed.</p>
      <Steps api={api} sections={sections} baseUrl={baseUrl} answers={answers} />
      <Basics api={api} baseUrl={baseUrl} />
      <Errors />
      <Assistants baseUrl={baseUrl} />
      <CommandLine />
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

function Steps({ api, sections, baseUrl, answers }: QuickStartProps) {
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
        <div class="code-tabs">
          <fieldset data-remember="depth">
            <legend class="unseen">Whose answer</legend>
            {answers.map(({ name }, index) => (
              <label key={name}>
                <input type="radio" class="unseen" name="answer-depth" value={name} checked={index === 0} />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
          {answers.map(({ name, body }, index) => (
            <Copyable key={name} id={`answer-${index}`} look="small" language={name}>
              <Json value={body} label={`Answer: ${name.toLowerCase()}`} id={`answer-${index}`} />
            </Copyable>
          ))}
        </div>
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

function Assistants({ baseUrl }: { baseUrl: string }) {
  return (
    <section id="assistants">
      <h2>Assistants (MCP)</h2>
      <p>
        Give an assistant that speaks the Model Context Protocol the address <code>{baseUrl}/mcp</code> and a key in{' '}
        <code>x-api-key</code>. It can then check and decode VINs, ask what is open, and report wrong decodes. Decodes
        count toward your plan. On your own machine, without a service:
      </p>
      <CodeBlock label="Command" code="npx @marque/service mcp" />
    </section>
  );
}

function CommandLine() {
  return (
    <section id="command-line">
      <h2>Command line</h2>
      <p>
        The same decoder reads VINs and whole files on your own machine, with every field and nothing charged. The
        second command writes a report a line; <code>--help</code> lists all options.
      </p>
      <CodeBlock
        label="Commands"
        code={
          'npx @marque/service decode 1HGCM82633A004352 --explain\nnpx @marque/service decode --file vins.csv --format jsonl'
        }
      />
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
        with status 200 are charged: each report is, also where it holds only the parts of the VIN.
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
