import { GROUP_NAMES, guides } from './documents.ts';

/**
 * Returns the text of `/llms.txt`, which points programs that read for a person to the documents (https://llmstxt.org).
 * Pure but for the list of guides.
 */
export function llmsText(baseUrl: string): string {
  const link = (name: string, path: string, says: string): string =>
    `- [${name}](${baseUrl}${path})${says && `: ${says}`}`;
  return `${[
    '# Marque',
    '> Decodes vehicle identification numbers (VINs) into make, model, year, body, engine and more, by an HTTP API with exact usage metering. A field that the VIN does not settle is left out.',
    [
      '## API',
      '',
      link('OpenAPI description', '/openapi.json', 'every operation, schema and event'),
      link('Reference', '/docs', 'with examples in curl, TypeScript and Python'),
      link('MCP server', '/mcp', 'tools for assistants; send a key in x-api-key'),
      link('Postman and Bruno collection', '/docs/collection.json', 'every operation, ready to send'),
    ].join('\n'),
    ...GROUP_NAMES.map((group) =>
      [
        `## ${group}`,
        '',
        ...guides()
          .filter((guide) => guide.group === group)
          .map(({ title, path, says }) => link(title, `${path}.md`, says)),
      ].join('\n'),
    ),
    ['## Optional', '', link('Status', '/status', ''), link('Changelog', '/changelog', '')].join('\n'),
  ].join('\n\n')}\n`;
}
