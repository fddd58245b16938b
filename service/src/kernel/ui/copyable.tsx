import type { ComponentChildren } from 'preact';

interface CopyableProps {
  /** The id of the element whose text is copied. */
  id: string;
  look?: 'first' | 'small';
  /** The language of code that is there in several. */
  language?: string;
  children: ComponentChildren;
}

/** Content with a button that copies it; a script shows the button. */
export function Copyable({ id, look, language, children }: CopyableProps) {
  return (
    <div class="copyable" data-language={language}>
      {children}
      <button type="button" class={look} data-copy={id} hidden>
        Copy
      </button>
    </div>
  );
}

/** A key or a secret, which is shown only once. */
export function Secret({ id, children }: { id: string; children: string }) {
  return (
    <Copyable id={id} look="first">
      <p class="key" id={id}>
        {children}
      </p>
    </Copyable>
  );
}

/** Code that scrolls by itself, with a label for who cannot see it. */
export function CodeBlock(props: { label: string; code: string; id?: string; isJson?: boolean }) {
  return (
    <pre class={props.isJson === true ? 'json' : undefined} tabindex={0} role="region" aria-label={props.label}>
      <code id={props.id}>{props.code}</code>
    </pre>
  );
}
