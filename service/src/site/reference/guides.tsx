import type { JSX } from 'preact';

import { GUIDES_PATH } from '../guides/documents.ts';
import { COLLECTION_PATH } from './collection.ts';
import { CodeBlock } from '../../kernel/ui/copyable.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { headersOf, type OpenApi } from './openapi.ts';
import { withCode } from './parts.tsx';

interface GuideProps {
  api: OpenApi;
  baseUrl: string;
}

/** Guides that apply to every operation, and other offers. */
export const GUIDES: readonly { anchor: string; name: string; Text: (props: GuideProps) => JSX.Element }[] = [
  { anchor: 'requests', name: 'For every request', Text: Requests },
  { anchor: 'errors', name: 'Errors', Text: Errors },
  { anchor: 'headers', name: 'Headers', Text: Headers },
  { anchor: 'assistants', name: 'Assistants (MCP)', Text: Assistants },
  { anchor: 'command-line', name: 'Command line', Text: CommandLine },
];

/** The guides, each under its heading. */
export function Guides(props: GuideProps) {
  return GUIDES.map(({ anchor, name, Text }) => (
    <section key={anchor} id={anchor}>
      <h2>{name}</h2>
      <Text {...props} />
    </section>
  ));
}

function Requests({ api, baseUrl }: GuideProps) {
  return (
    <>
      {(api.info.description ?? '').split('\n\n').map((text) => (
        <p key={text}>{withCode(text)}</p>
      ))}
      <p>
        The base address is <code>{baseUrl}</code>. For programs, there are{' '}
        <a href="/openapi.json">the OpenAPI description</a>, version {api.info.version}, and{' '}
        <a href={COLLECTION_PATH}>a collection for Postman and Bruno</a>. Use <code>@marque/client</code> in TypeScript,
        or <a href={`${GUIDES_PATH}/questions#is-there-a-client-for-my-language`}>another language</a>.
      </p>
      <p>
        To retry safely, send an <code>Idempotency-Key</code> header. Repeating the request within 24 hours returns the
        same answer and is not charged again.
      </p>
    </>
  );
}

/** Errors that every operation may answer. */
export const ERRORS = [
  ['400', 'The body is not JSON or has no well-formed VIN.', 'Fix the request.'],
  ['401', 'The key is invalid or inactive.', 'Check the key in the portal.'],
  ['409', 'The first request with this Idempotency-Key has not finished.', 'Try again in a moment.'],
  ['413', 'The body is too large.', 'Send fewer VINs in a request.'],
  ['415', 'The body is not JSON.', 'Send content-type: application/json.'],
  ['422', 'This Idempotency-Key was used for a different request.', 'Use a new key for each request.'],
  [
    '429',
    'The monthly limit is reached, or a test key was used too often.',
    'Wait until resetAt, or upgrade your plan.',
  ],
  ['503', 'The service is busy or restarting.', 'Try again after Retry-After seconds.'],
] as const;

function Errors() {
  return (
    <>
      <p>
        Every error has the body <code>{'{"error": "…"}'}</code>, with a message that says what to do.
      </p>
      <Table
        rows={ERRORS}
        idOf={([status]) => errorAnchor(status)}
        columns={[
          { head: 'Status', kind: 'name', cell: ([status]) => status },
          { head: 'When', cell: ([, when]) => when },
          { head: 'What to do', cell: ([, , what]) => what },
        ]}
      />
    </>
  );
}

/** Returns the name of an error within the first page. */
export function errorAnchor(status: string): string {
  return `error-${status}`;
}

function Headers({ api }: GuideProps) {
  return (
    <Table
      rows={headersOf(api)}
      idOf={({ name }) => headerAnchor(name)}
      columns={[
        { head: 'Header', kind: 'name', cell: ({ name }) => <code>{name}</code> },
        { head: 'In', kind: 'word', cell: (header) => header.in },
        { head: 'Meaning', cell: ({ description }) => withCode(description) },
      ]}
    />
  );
}

/** Returns the name of a header within the first page. */
export function headerAnchor(name: string): string {
  return `header-${name.toLowerCase()}`;
}

function Assistants({ baseUrl }: GuideProps) {
  return (
    <>
      <p>
        Give an assistant that speaks the Model Context Protocol the address <code>{baseUrl}/mcp</code> and a key in{' '}
        <code>x-api-key</code>. It can then check and decode VINs, ask what is open, and report wrong decodes. Decodes
        count toward your plan. On your own machine, without a service:
      </p>
      <CodeBlock label="Command" code="npx @marque/service mcp" />
    </>
  );
}

function CommandLine() {
  return (
    <>
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
    </>
  );
}
