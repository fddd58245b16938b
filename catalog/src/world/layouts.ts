import { parsePattern } from '@marque/decoder';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { isNode, LineCounter, parseDocument } from 'yaml';

import type { Problem } from './problem.ts';

const Wmi = Type.String({ pattern: '^([A-HJ-NPR-Z0-9]{3}|[A-HJ-NPR-Z0-9]{2}9[A-HJ-NPR-Z0-9]{3})$' });
const Year = Type.Union([Type.Integer({ minimum: 1900, maximum: 2060 }), Type.Null()]);

const Layout = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    about: Type.String({ minLength: 1 }),
    make: Type.Optional(Type.String({ minLength: 1 })),
    /** For a layout whose `when` does not separate the makes that share a WMI. Without `when` none does. */
    make_needs: Type.Optional(Type.Literal('model')),
    wmis: Type.Array(Wmi, { minItems: 1 }),
    /** All models of these WMIs: the codes of others in the tables mean nothing here. */
    models: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    when: Type.Optional(Type.Array(Type.String())),
    when_check_digit: Type.Optional(Type.Enum(['valid', 'invalid', 'any'])),
    year: Type.Enum(['position-10', 'position-11', 'none']),
    years: Type.Optional(Type.Array(Year, { minItems: 2, maxItems: 2 })),
    check_digit: Type.Enum(['mandatory', 'reported', 'none']),
    vehicle_type: Type.Optional(Type.String({ minLength: 1 })),
    tables: Type.Optional(Type.Array(Type.String({ pattern: '^(\\.\\./[a-z0-9-]+/)?[a-z0-9-]+\\.csv$' }))),
  },
  { additionalProperties: false },
);

const LayoutFile = Type.Object(
  { about: Type.String({ minLength: 1 }), layouts: Type.Array(Layout, { minItems: 1 }) },
  { additionalProperties: false },
);

/** A layout as its file has it. */
export type LayoutEntry = Static<typeof Layout>;

const HELP: Readonly<Record<string, string>> = {
  name: 'lower-case letters, digits and hyphens',
  about: 'a sentence on whose VINs these are',
  make_needs: 'model',
  wmis: 'a list of WMIs: three characters, or six where the third is 9',
  models: 'a list of models: [Rocket, Anvil]',
  when: 'a list of patterns from position 1 on, such as "...ZZZ"',
  when_check_digit: 'valid, invalid or any',
  year: 'position-10, position-11 or none',
  years: 'a list of the first and the last year, null where open: [1998, null]',
  check_digit: 'mandatory, reported or none',
  tables: 'a list of CSV files of this folder, or ../folder/file.csv',
};

const checker = Compile(LayoutFile);

/** Reads a `layouts.yaml`. With problems the entries are empty. */
export function readLayouts(name: string, text: string): { entries: LayoutEntry[]; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problems: Problem[] = document.errors.map((error) => ({
    where: `${name}:${lines.linePos(error.pos[0]).line}`,
    what: error.message.split('\n')[0] ?? 'is not YAML',
  }));
  if (problems.length > 0) return { entries: [], problems };
  const lineOf = (path: readonly string[]): number => {
    const node = document.getIn(
      path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      true,
    );
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? 1 : lines.linePos(start).line;
  };
  const file: unknown = document.toJS();
  if (!checker.Check(file)) {
    for (const error of checker.Errors(file)) {
      const path = error.instancePath.split('/').filter((part) => part !== '');
      const field = path.findLast((part) => Object.hasOwn(HELP, part));
      const wanted = field === undefined ? error.message : `write ${HELP[field]}`;
      problems.push({ where: `${name}:${lineOf(path)}`, what: `${path.join('.') || 'the file'}: ${wanted}` });
    }
    return { entries: [], problems };
  }
  for (const [index, entry] of file.layouts.entries()) {
    for (const pattern of entry.when ?? []) {
      try {
        parsePattern(pattern);
      } catch (error) {
        problems.push({
          where: `${name}:${lineOf(['layouts', String(index), 'when'])}`,
          what: error instanceof Error ? error.message : String(error),
        });
      }
    }
  }
  return { entries: problems.length > 0 ? [] : file.layouts, problems };
}
