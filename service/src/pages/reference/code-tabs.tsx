import type { Example } from './examples.ts';

/** The same call in several languages, one shown at a time: by the stylesheet alone. The script remembers the language. */
export function CodeTabs({ id, label, examples }: { id: string; label: string; examples: readonly Example[] }) {
  return (
    <div class="code-tabs">
      <fieldset data-remember="language">
        <legend class="unseen">Language of the example: {label}</legend>
        {examples.map(({ language }) => (
          <label key={language}>
            <input type="radio" class="unseen" name={`${id}-language`} value={language} checked={language === 'curl'} />
            <span>{language}</span>
          </label>
        ))}
      </fieldset>
      {examples.map(({ language, code }) => (
        <div key={language} class="copyable" data-language={language}>
          <pre tabindex={0} role="region" aria-label={`${label} in ${language}`}>
            <code id={`${id}-${language}`}>{code}</code>
          </pre>
          <button type="button" class="small" data-copy={`${id}-${language}`} hidden>
            Copy
          </button>
        </div>
      ))}
    </div>
  );
}
