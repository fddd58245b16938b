import type { ComponentChildren } from 'preact';

interface FoldProps {
  /** What the address of the page ends with to open this part of it. */
  anchor: string;
  head: ComponentChildren;
  /** What is below the heading, also while it is closed. */
  address?: ComponentChildren;
  isOpen: boolean;
  children: ComponentChildren;
}

/**
 * A part of a page of the reference, closed until somebody chooses it. The anchor is inside, since a browser opens what
 * holds the target of a link.
 */
export function Fold({ anchor, head, address, isOpen, children }: FoldProps) {
  return (
    <details class="operation" open={isOpen}>
      <summary>
        {head}
        {address === undefined ? null : <span class="address">{address}</span>}
      </summary>
      <div id={anchor} class="stack">
        {children}
      </div>
    </details>
  );
}
