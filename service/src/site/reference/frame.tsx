import type { ComponentChildren } from 'preact';

import { type Found, SearchBox } from './search-page.tsx';
import { eventAnchor, SCHEMAS_PATH, type Section } from './sections.ts';

interface FrameProps {
  sections: readonly Section[];
  /** Path of the page that is shown. */
  current: string;
  /** What was searched for, and found; undefined: the page is no search. */
  search?: { query: string; found: Found | undefined };
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

function Entry(props: { path: string; name: string; current: string; children?: ComponentChildren }) {
  const isCurrent = props.path === props.current;
  return (
    <li class={isCurrent ? 'current' : undefined}>
      <a href={props.path} aria-current={isCurrent ? 'page' : undefined}>
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
