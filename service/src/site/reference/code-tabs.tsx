import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { Json } from '../../report/pages/index.ts';
import type { ExampleAnswer } from './answers.ts';
import type { Example } from './examples.ts';

/** The answers to the example calls, by the anchors of their operations. */
export type Answers = ReadonlyMap<string, readonly ExampleAnswer[]>;

/**
 * The same call in several languages, one shown at a time: by the stylesheet alone. The script remembers the language.
 */
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

/** The answer to a call; if it depends on the caller, one tab for each. */
export function AnswerTabs({ id, label, answers }: { id: string; label: string; answers: readonly ExampleAnswer[] }) {
  const [only, ...others] = answers;
  if (only === undefined) return null;
  if (others.length === 0) return <Json value={only.body} label={label} />;
  return (
    <div class="code-tabs">
      <fieldset data-remember="depth">
        <legend class="unseen">Whose answer: {label}</legend>
        {answers.map(({ name = '' }, index) => (
          <label key={name}>
            <input type="radio" class="unseen" name={`${id}-depth`} value={name} checked={index === 0} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      {answers.map(({ name = '', body }, index) => (
        <Copyable key={name} id={`${id}-answer-${index}`} look="small" language={name}>
          <Json value={body} label={`${label}: ${name.toLowerCase()}`} id={`${id}-answer-${index}`} />
        </Copyable>
      ))}
    </div>
  );
}
