import type { SourceList } from './sources.ts';

const ABOUT = `# Sources

Written by \`npm run sources\` from the facts; do not edit. One line a source: what it is, its licence, how many rows name it, how many
of these name no other source beside general knowledge, and what they say.

Kinds: \`official\` is a register or an authority's list; \`document\` a manual or a bulletin; \`page\` a web page; \`repository\` a public
repository; \`labelled\` cars of which somebody said what they are; \`knowledge\` is general knowledge, which answers only where labelled
cars or other sources bear it out (\`docs/catalog-guidelines.md\`); \`untraceable\` was not recorded well enough to be opened
again and counts as knowledge.

North American VINs are decoded from NHTSA's vPIC (public domain), which is imported as it is: \`docs/importing.md\`.
`;

/** Returns the page of sources as Markdown. */
export function printSources(lists: readonly SourceList[]): string {
  return [ABOUT, ...lists.map(printList)].join('\n');
}

function printList({ title, about, sources }: SourceList): string {
  const lines = sources.map(
    ({ key, kind, licence, where, rows, alone, fields }) =>
      `| \`${key}\` | ${kind} | ${cell(licence)} | ${cell(where)} | ${rows} | ${alone} | ${fields.join(', ')} |`,
  );
  const header = [
    '| key | kind | license | source | rows | alone | fields |',
    '| --- | --- | --- | --- | ---: | ---: | --- |',
  ];
  return `${[`## ${title}`, '', about, '', ...header, ...lines].join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
