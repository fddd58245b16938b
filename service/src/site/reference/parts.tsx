import type { ComponentChildren } from 'preact';

import { Table } from '../../kernel/ui/table.tsx';
import { fieldsOf, type OpenApi, resolve, type Schema } from './openapi.ts';
import { fieldAnchor } from './sections.ts';

interface FoldProps {
  /** The fragment of the page's address that opens this part of it. */
  anchor: string;
  head: ComponentChildren;
  /** Content below the heading, also while it is closed. */
  address?: ComponentChildren;
  isOpen: boolean;
  children: ComponentChildren;
}

/**
 * A part of a page of the reference, closed until the reader opens it. The anchor is inside, since a browser opens the
 * element that contains the target of a link.
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

interface FieldsProps {
  api: OpenApi;
  schema: Schema;
  /** The part that contains the table: a link to a field begins with it. */
  anchor: string;
}

/** The fields of a schema with their types and meanings; nothing if it has none. */
export function Fields({ api, schema, anchor }: FieldsProps) {
  const rows = fieldsOf(resolve(api, schema) ?? {});
  if (rows.length === 0) return null;
  return (
    <Table
      rows={rows}
      idOf={({ path }) => fieldAnchor(anchor, path)}
      columns={[
        { head: 'Field', kind: 'name', cell: ({ path }) => <code>{path}</code> },
        { head: 'Type', cell: ({ type, required }) => `${type}${required ? ', required' : ''}` },
        { head: 'Meaning', cell: ({ description }) => withCode(description) },
      ]}
    />
  );
}

/** Returns a text with its parts between back ticks as code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
