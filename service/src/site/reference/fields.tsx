import { Table } from '../../kernel/ui/table.tsx';
import { type OpenApi, resolve, type Schema, typeText } from './openapi.ts';
import { withCode } from './text.tsx';

/** The fields of a schema with their types and meanings; nothing where it has none. */
export function Fields({ api, schema }: { api: OpenApi; schema: Schema }) {
  const found = resolve(api, schema);
  const rows = found === undefined ? [] : rowsOf(found, '');
  if (rows.length === 0) return null;
  return (
    <Table
      rows={rows}
      columns={[
        { head: 'Field', kind: 'name', cell: ({ path }) => <code>{path}</code> },
        { head: 'Type', cell: ({ type, required }) => `${type}${required ? ', required' : ''}` },
        { head: 'Meaning', cell: ({ description }) => withCode(description) },
      ]}
    />
  );
}

interface FieldRow {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** The fields of an object, those of objects within it below their own. */
function rowsOf(schema: Schema, prefix: string): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    const description = property.description ?? property.anyOf?.find((option) => option.description)?.description ?? '';
    rows.push({ path, type: typeText(property), required: schema.required?.includes(name) ?? false, description });
    rows.push(...rowsOf(property, `${path}.`));
  }
  return rows;
}
