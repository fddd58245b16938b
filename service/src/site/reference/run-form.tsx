import { Field } from '../../kernel/ui/fields.tsx';
import { type Call, exampleText } from './examples.ts';
import type { Endpoint, OpenApi } from './openapi.ts';

interface RunFormProps {
  api: OpenApi;
  endpoint: Endpoint;
  call: Call;
}

/** Sends the operation's request from the reader's browser, with a key of theirs. Hidden where there is no script. */
export function RunForm({ api, endpoint: { anchor, method, path, operation }, call }: RunFormProps) {
  const parameters = (operation.parameters ?? []).filter((known) => known.in === 'path' || known.in === 'query');
  return (
    <details class="run" data-run hidden>
      <summary>Run it</summary>
      <form class="stack" data-method={method} data-path={path} data-type={call.body?.type}>
        {call.takesKey ? (
          <Field
            id={`${anchor}-key`}
            label="Your API key"
            name="key"
            type="password"
            isMono
            isOptional
            hint="Stays in this tab. A run is charged like any other request. Without a key, it counts as public."
          />
        ) : null}
        {parameters.map((parameter) => (
          <Field
            key={parameter.name}
            id={`${anchor}-${parameter.name}`}
            label={parameter.name}
            name={`${parameter.in}:${parameter.name}`}
            value={exampleText(api, parameter) ?? ''}
            isOptional={parameter.required !== true}
            isMono
          />
        ))}
        {call.body === undefined ? null : (
          <div class="field">
            <label for={`${anchor}-body`}>Body</label>
            <textarea id={`${anchor}-body`} name="body" class="mono" spellcheck={false}>
              {call.body.text}
            </textarea>
          </div>
        )}
        <button class="first">Run</button>
        <p role="status" data-run-status />
        <pre tabindex={0} role="region" aria-label={`Answer to ${method} ${path}`} data-run-answer hidden />
      </form>
    </details>
  );
}
