import type { Config } from '../../kernel/config/config.ts';
import { Operator } from './operator.tsx';

/** What one may do with the service, and what it promises. */
export function TermsPage({ config }: { config: Config }) {
  const { governingLaw } = config;
  return (
    <>
      <h1>Terms</h1>
      <p class="lede">What you may do with this service, what you pay for, and what to rely on.</p>
      <Operator config={config} />
      <section>
        <h2>Using the service</h2>
        <ul>
          <li>Decode VINs that you have a right to process. You are responsible for what your keys do.</li>
          <li>Keep keys secret. If a key leaks, revoke it on the Keys page. It stops working within two seconds.</li>
          <li>Do not circumvent limits or disrupt the service for others.</li>
        </ul>
      </section>
      <section>
        <h2>What is charged</h2>
        <ul>
          <li>Each plan includes a number of decodes for each calendar month (UTC). Unused decodes expire.</li>
          <li>Only answers with status 200 count. Invalid VINs, errors, and pending lookups are free.</li>
          <li>At the limit, decodes are refused until the next month. You never pay more than your plan costs.</li>
        </ul>
      </section>
      <section>
        <h2>What to rely on</h2>
        <ul>
          <li>
            Reports come from public and reviewed data and may be incomplete or wrong. Check them before you rely on
            them for safety, for a price, or in a contract.
          </li>
          <li>
            The <a href="/#accuracy">measured accuracy</a> describes labeled test vehicles. Your results may differ.
          </li>
          <li>The service is provided as is. The operator does not guarantee that it is always available.</li>
        </ul>
      </section>
      <section>
        <h2>Ending</h2>
        <p>
          You can close a workspace or your account at any time. The operator may suspend a workspace that breaks these
          terms.
        </p>
        {governingLaw === undefined ? null : <p>These terms are governed by {governingLaw}.</p>}
      </section>
      <p class="hint">
        The software is open source under the Apache 2.0 license, which has its own terms for running your own instance.
      </p>
    </>
  );
}
