import type { ComponentChildren } from 'preact';

/** A figure, large, with its label and remarks. */
export interface Figure {
  label: string;
  value: ComponentChildren;
  note?: ComponentChildren;
}

/** Figures in a row. */
export function Stats({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="stats">
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {note === undefined ? null : <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts with their labels, one a line. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, text: string])[] }) {
  return (
    <dl class="fields">
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
