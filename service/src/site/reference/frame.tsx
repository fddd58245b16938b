import type { ComponentChildren } from 'preact';

import { guides, GUIDES_PATH } from '../guides/documents.ts';
import { SearchBox } from './search.tsx';
import type { Found } from './search-index.ts';
import { eventAnchor, SCHEMAS_PATH, type Section } from './sections.ts';

/** A reader's search, and its results. */
export interface Searched {
  query: string;
  found: Found | undefined;
}

interface FrameProps {
  sections: readonly Section[];
  /** Path of the page that is shown. */
  current: string;
  /** The search and its results; undefined: the page is not a search. */
  search?: Searched;
  children: ComponentChildren;
}

/** A page of the reference, with the contents on the left. */
export function ReferenceFrame({ sections, current, search, children }: FrameProps) {
  return (
    <div class="reference">
      <div class="sidebar">
        <SearchBox query={search?.query} found={search?.found} />
        <nav aria-label="Reference">
          <ul>
            <Entry path="/docs" name="Quick start" current={current} />
            <Entry path={GUIDES_PATH} name="Guides" current={current} isCurrent={current.startsWith(GUIDES_PATH)}>
              <GuideLinks current={current} />
            </Entry>
            {sections.map((section) => (
              <Entry key={section.path} path={section.path} name={section.name} current={current}>
                <Links section={section} />
              </Entry>
            ))}
            <Entry path={SCHEMAS_PATH} name="Schemas" current={current} />
          </ul>
        </nav>
      </div>
      <div class="reference-page">{children}</div>
    </div>
  );
}

interface EntryProps {
  path: string;
  name: string;
  /** Path of the page that is shown. */
  current: string;
  /** True if that page belongs to this entry; unset: it is the entry's own. */
  isCurrent?: boolean;
  children?: ComponentChildren;
}

function Entry(props: EntryProps) {
  const isPage = props.path === props.current;
  return (
    <li class={(props.isCurrent ?? isPage) ? 'current' : undefined}>
      <a href={props.path} aria-current={isPage ? 'page' : undefined}>
        {props.name}
      </a>
      {props.children}
    </li>
  );
}

/** The operations and events of a section. */
function Links({ section: { path, endpoints, events } }: { section: Section }) {
  return (
    <ul>
      {endpoints.map(({ anchor, path: address, operation }) => (
        <li key={anchor}>
          <a href={`${path}#${anchor}`}>{(operation.summary ?? address).replace(/\.$/, '')}</a>
        </li>
      ))}
      {events.map((type) => (
        <li key={type}>
          <a href={`${path}#${eventAnchor(type)}`}>{type}</a>
        </li>
      ))}
    </ul>
  );
}

function GuideLinks({ current }: { current: string }) {
  return (
    <ul>
      {guides().map(({ path, title }) => (
        <li key={path}>
          <a href={path} aria-current={path === current ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
