import { CodeBlock } from '../../kernel/ui/copyable.tsx';

/** For readers whose program calls NHTSA's API today: what to change, and what to expect. */
export function VpicIntroduction({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <p>
        Programs written for NHTSA's vPIC API work here unchanged. Replace the host and send a key; paths, parameters,
        field names, and error codes stay the same.
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
