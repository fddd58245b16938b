import type { ComponentChildren } from 'preact';

interface FiltersProps {
  /** The path of the list. */
  action: string;
  /** The filters of the address, by name: those without a text are not in use. */
  query: Readonly<Record<string, string | undefined>>;
  /** The fields. */
  children: ComponentChildren;
}

/** The filters of a list: folded on a narrow screen, where they would be all that is seen. Works without JavaScript. */
export function Filters({ action, query, children }: FiltersProps) {
  const inUse = Object.values(query).filter((value) => value !== undefined && value !== '').length;
  return (
    <details class="filtering">
      <summary>{inUse === 0 ? 'Filter' : `Filter: ${inUse} in use`}</summary>
      <form class="filters" method="get" action={action}>
        {children}
        <button>Filter</button>
      </form>
    </details>
  );
}
