import { anchorOf, Markdown, partsOf } from '../../kernel/ui/markdown.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { GROUP_NAMES, type Guide, guides, linkOf, pageOf } from './documents.ts';

/** Placeholder of a service's address in the documents. */
const PLACE_OF_ADDRESS = /https:\/\/YOUR-SERVICE/g;

/** Returns a document with this service's own address in its examples. Pure. */
export function withAddress(document: string, baseUrl: string): string {
  return document.replaceAll(PLACE_OF_ADDRESS, () => baseUrl);
}

/** Below so many headings a page needs no list of them. */
const FEW = 3;

/** A guide as a page. */
export function GuidePage({ guide: { name, title, document }, baseUrl }: { guide: Guide; baseUrl: string }) {
  const headings = partsOf(document).filter(({ depth }) => depth === 2);
  return (
    <>
      <h1>{title}</h1>
      {headings.length < FEW ? null : (
        <nav class="on-page" aria-label="On this page">
          <ul>
            {headings.map(({ heading }) => (
              <li key={heading}>
                <a href={`#${anchorOf(heading)}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Markdown document={withAddress(document, baseUrl)} linkTo={linkOf} pageOf={pageOf} isCopyable />
      <p class="hint">
        <a href={`/docs/guides/${name}.md`}>This page as Markdown</a>
      </p>
    </>
  );
}

/** Every guide, by group. */
export function GuideIndex() {
  return (
    <>
      <h1>Guides</h1>
      <p class="lede">How to use this service, run one of your own, and check what it promises.</p>
      {GROUP_NAMES.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <GuideTable guides={guides().filter((guide) => guide.group === group)} />
        </section>
      ))}
    </>
  );
}

/** Lists guides, each with the question that it answers. */
function GuideTable(props: { guides: readonly Guide[] }) {
  return (
    <Table
      rows={props.guides}
      columns={[
        { head: 'Guide', kind: 'name', cell: ({ path, title }) => <a href={path}>{title}</a> },
        { head: 'What it answers', cell: ({ says }) => says },
      ]}
    />
  );
}
