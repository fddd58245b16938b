import { Table } from '../../kernel/ui/table.tsx';
import { fieldsOf, type OpenApi, resolve, type Schema } from './openapi.ts';
import { fieldAnchor } from './sections.ts';
import { withCode } from './text.tsx';

interface FieldsProps {
  api: OpenApi;
  schema: Schema;
  /** What the table is part of: a link to a field begins with it. */
  anchor: string;
}

/** The fields of a schema with their types and meanings; nothing where it has none. */
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
