import type { ComponentChildren } from 'preact';

/** A column of a table: its head, and its cell in each row. */
export interface Column<Row> {
  head: string;
  /**
   * - `name`: the subject of the row, its head
   * - `text`: the default; breaks anywhere rather than widening the page
   * - `word`: names of states, events and roles; not broken within a word
   * - `figure`: right-aligned, never broken
   * - `code`: ids, fields and other text of machines
   * - `actions`: buttons; the head is for screen readers only
   */
  kind?: 'name' | 'text' | 'word' | 'figure' | 'code' | 'actions';
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The text of an empty table: its future content, and how to begin. */
  empty?: ComponentChildren;
  caption?: string | undefined;
  /** Returns the fragment of a link to a row. */
  idOf?: (row: Row) => string | undefined;
  /** Returns true if a row is the chosen one. */
  isCurrent?: (row: Row) => boolean;
  /** Groups adjacent rows under a head with their common values. A single row has no head. */
  groups?: { keyOf: (row: Row) => string; head: (rows: readonly Row[]) => ComponentChildren } | undefined;
  /** The link to further rows. */
  more?: { href: string; text: string } | undefined;
}

/** Below so many columns a table fits a phone; from so many on, rows become cards sooner. */
const FEW = 3;
const SOME = 4;
const MANY = 6;

/** Rows under heads; where the page is narrow, each row is a card. Without rows, `empty` takes its place. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, empty, caption, idOf, isCurrent, groups, more } = props;
  const bodies = groups === undefined ? [rows] : [...Map.groupBy(rows, groups.keyOf).values()];
  if (rows.length === 0 && empty !== undefined) return <p class="empty">{empty}</p>;
  return (
    <div class={`table ${sizeOf(columns)}`}>
      <table>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" class={kind === 'figure' ? 'figure' : undefined}>
                {kind === 'actions' ? <span class="unseen">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        {bodies.map((body, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- rendered once: a group is its place
          <tbody key={place}>
            {groups === undefined || body.length === 1 ? null : (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {groups.head(body)}
                </th>
              </tr>
            )}
            {body.map((row, line) => (
              // oxlint-disable-next-line react/no-array-index-key -- rendered once: a row is its place
              <tr key={line} id={idOf?.(row)} aria-current={isCurrent?.(row) === true ? 'true' : undefined}>
                {columns.map((column) => (
                  <Cell key={column.head} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {more === undefined ? null : (
        <p class="more">
          <a class="button" href={more.href}>
            {more.text}
          </a>
        </p>
      )}
    </div>
  );
}

function sizeOf<Row>(columns: readonly Column<Row>[]): string {
  if (columns.length < FEW) return 'few';
  if (columns.length < SOME) return '';
  return columns.length < MANY ? 'some' : 'many';
}

function Cell<Row>({ column: { head, kind = 'text', cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row);
  if (kind === 'name') return <th scope="row">{content}</th>;
  if (kind === 'actions') {
    return (
      <td class="row-actions">
        <div>{content}</div>
      </td>
    );
  }
  return (
    <td class={kind === 'text' ? undefined : kind} data-label={head}>
      {content}
    </td>
  );
}
