import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
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
        <Copyable key={language} id={`${id}-${language}`} look="small" language={language}>
          <CodeBlock label={`${label} in ${language}`} id={`${id}-${language}`} code={code} />
        </Copyable>
      ))}
    </div>
  );
}
