import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { GUIDES_PATH } from '../guides/documents.ts';
import { Table } from '../../kernel/ui/table.tsx';
import { type Answers, AnswerTabs, CodeTabs } from './code-tabs.tsx';
import { examplesFor } from './examples.ts';
import type { OpenApi } from './openapi.ts';
import { Guides } from './guides.tsx';
import { schemaPath, type Section, VPIC_PATH } from './sections.ts';

interface QuickStartProps {
  answers: Answers;
  api: OpenApi;
  sections: readonly Section[];
  baseUrl: string;
}

/** The reference's first page: from nothing to a decoded VIN in three steps, and the rules for every request. */
export function QuickStart({ api, sections, baseUrl, answers }: QuickStartProps) {
  return (
    <>
      <h1>API reference</h1>
      <p class="lede">
        Decode your first VIN in three steps; the examples run as printed. Looking for something else? The{' '}
        <a href={GUIDES_PATH}>guides</a> answer <a href={`${GUIDES_PATH}/questions`}>what people ask first</a>.
      </p>
      <Steps api={api} sections={sections} baseUrl={baseUrl} answers={answers} />
      <Guides api={api} baseUrl={baseUrl} />
      <Operations sections={sections} />
    </>
  );
}

/** Everything except the operations of vPIC, which have their own page. */
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
      <li id="start">
        <h2>Get a key</h2>
        <GetAKey />
        <CodeBlock label="Set the key" code="export MARQUE_KEY=mq_live_…" />
      </li>
      <li>
        <h2>Send a VIN</h2>
        <CodeTabs id="quick-start" label="Decode a VIN" examples={examplesFor(api, endpoint, baseUrl)} />
      </li>
      <li id="answer">
        <h2>Read the answer</h2>
        <ReadTheAnswer />
        <AnswerTabs id="quick-start" label="Answer" answers={answers.get(endpoint.anchor) ?? []} />
      </li>
    </ol>
  );
}

export function GetAKey() {
  return (
    <p>
      <a href="/sign-up">Create an account</a>, open Keys in the portal, and create a key. It is shown once. You can
      also skip this step: without a key you get basic fields and a small monthly allowance.
    </p>
  );
}

export function ReadTheAnswer() {
  return (
    <p>
      A field that the VIN does not settle is left out, never guessed.{' '}
      <a href={schemaPath('VehicleReport')}>See what every field means</a>, and{' '}
      <a href={`${GUIDES_PATH}/questions#why-is-a-field-missing`}>why one is missing</a>.
    </p>
  );
}

/** A job from its file to its results, before the operations one by one. */
export function JobsIntroduction({ baseUrl }: { baseUrl: string }) {
  const code = [
    '# Send a file with a column of VINs: CSV, Excel, Parquet, or a VIN on each line.',
    `curl ${baseUrl}/api/jobs -H "x-api-key: $MARQUE_KEY" \\`,
    "  -H 'content-type: text/csv' --data-binary @vins.csv",
    '',
    '# The answer has the ID of the job.',
    'export JOB=019ab3c2-…',
    '',
    '# Ask until its status is "completed", or let a webhook tell you.',
    `curl ${baseUrl}/api/jobs/$JOB -H "x-api-key: $MARQUE_KEY"`,
    '',
    '# Get the results in the order of the file.',
    `curl ${baseUrl}/api/jobs/$JOB/results -H "x-api-key: $MARQUE_KEY" \\`,
    "  -H 'accept: text/csv' > decoded.csv",
  ].join('\n');
  return (
    <>
      <p>
        Create a job with a list or a file of VINs, and get the results when they are ready. A job needs a key; each VIN
        that is decoded costs one decode, each exactly once.
      </p>
      <Copyable id="job-commands">
        <CodeBlock label="A job from its file to its results" id="job-commands" code={code} />
      </Copyable>
    </>
  );
}

/** Introduces readers whose program calls NHTSA's API today to the changes to make and to expect. */
export function VpicIntroduction({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <p>
        Programs written for NHTSA's vPIC API need two changes: the host and a key. Paths, parameters, field names, and
        error codes stay the same.
      </p>
      <h2>What to change</h2>
      <div class="columns">
        <div>
          <h3>Before</h3>
          <CodeBlock label="Address at NHTSA" code="https://vpic.nhtsa.dot.gov/api/vehicles/…" />
        </div>
        <div>
          <h3>After</h3>
          <CodeBlock label="Address here" code={`${baseUrl}/api/vehicles/…`} />
        </div>
      </div>
      <h2>What is the same</h2>
      <ul>
        <li>JSON, CSV, and XML, chosen by format. The default is XML, as at NHTSA.</li>
        <li>
          Partial VINs such as <code>5UXWX7C5*BA</code>, the modelyear parameter, and paths in upper or lower case.
        </li>
        <li>
          You get NHTSA's reading of the VIN, not Marque's report. Corrections and lookups elsewhere do not change it.
        </li>
      </ul>
      <h2>What differs</h2>
      <ul>
        <li>
          Decoding is charged as one decode if the VIN identifies at least the manufacturer. Lists are free and need no
          key.
        </li>
        <li>Fields that your plan does not include stay null.</li>
        <li>
          <code>Count</code> is the number of results. NHTSA counts variables where there is one flat result.
        </li>
        <li>Lists of equipment plants and manufacturers' letters are empty: the catalog does not have that data.</li>
      </ul>
    </>
  );
}
