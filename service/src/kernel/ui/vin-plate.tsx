import { type ReportToDraw, type VinPart, vinParts } from './vin-parts.ts';

/**
 * A VIN drawn like a stamped plate, with what each part says below it. Pointing at a part, or reaching it with the Tab
 * key, brings out its line.
 */
export function VinPlate({ vin, report }: { vin: string; report: ReportToDraw }) {
  const parts = vinParts(vin, report);
  return (
    <figure class="vin" aria-label={`VIN ${vin}`}>
      <div class="plate">
        {parts.map((part) => (
          <Stamped key={part.from} part={part} describedBy={`vin-${part.from}`} />
        ))}
      </div>
      <figcaption>
        <dl class="legend">
          {parts.map((part) => (
            <div key={part.from} id={`vin-${part.from}`} class={`says ${part.kind} at-${part.from}`}>
              <dt>
                {positionsOf(part)} {part.name}
              </dt>
              <dd>{part.says}</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}

function Stamped({ part, describedBy }: { part: VinPart; describedBy: string }) {
  return (
    <span
      class={`part ${part.kind} at-${part.from} n-${part.characters.length}`}
      role="img"
      aria-label={`${part.name}: ${[...part.characters].join(' ')}`}
      aria-describedby={describedBy}
      tabindex={0}
    >
      <span class="stamped" aria-hidden="true">
        {[...part.characters].map((character, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a position is what a character is known by
          <b key={index} class={`p${part.from + index}`}>
            {character}
          </b>
        ))}
      </span>
      <small aria-hidden="true">
        {positionsOf(part)} <span class="short">{part.short}</span>
      </small>
    </span>
  );
}

function positionsOf({ from, characters }: VinPart): string {
  return characters.length === 1 ? String(from) : `${from}\u2013${from + characters.length - 1}`;
}

/** A VIN in running text and tables: its parts in their colors, without their explanation. */
export function VinText({ vin }: { vin: string }) {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return <code>{vin}</code>;
  return (
    <code class="vin-text">
      {vinParts(vin, {}).map((part) => (
        <span key={part.from} class={part.kind}>
          {part.characters}
        </span>
      ))}
    </code>
  );
}
