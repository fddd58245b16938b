import { checkDigitOf, requiresCheckDigit } from '@marque/decoder';

/**
 * Draws a VIN like a stamped plate, with the meaning of each part below it. Pointing at a part, or reaching it with the
 * Tab key, brings out its line. `hidesPlant`: the plant is known, and a paid plan shows it.
 */
export function VinPlate(props: { vin: string; report: ReportToDraw; hidesPlant?: boolean }) {
  const { vin, report, hidesPlant = false } = props;
  const parts = vinParts(vin, report, hidesPlant);
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

/** The parts of a VIN, each in its color. */
type PartKind = 'wmi' | 'vds' | 'check' | 'year' | 'plant' | 'serial';

const SHORT_NAMES: Readonly<Record<PartKind, string>> = {
  wmi: 'maker',
  vds: 'vehicle',
  check: 'check',
  year: 'year',
  plant: 'plant',
  serial: 'serial number',
};

/** One part of a VIN and its meaning. */
interface VinPart {
  kind: PartKind;
  characters: string;
  /** First position, counted from 1. */
  from: number;
  name: string;
  /** The short name. */
  short: string;
  /** Its meaning for this vehicle, in a sentence. */
  says: string;
}

/** The fields of a report that the drawing uses. Give the report as its reader may see it. */
export type ReportToDraw = Partial<
  Record<
    'manufacturer' | 'model' | 'bodyStyle' | 'bodyStyleNormalized' | 'modelYear' | 'region' | 'plant' | 'trim',
    unknown
  >
>;

/** Cuts a well-formed VIN into the parts of ISO 3779 and explains each. `hidesPlant`: a paid plan shows it. Pure. */
function vinParts(vin: string, report: ReportToDraw, hidesPlant = false): VinPart[] {
  // Makers of few vehicles share a WMI whose third character is 9: positions 12-14 identify them.
  const isSmallMaker = vin.charAt(2) === '9';
  const part = (kind: PartKind, from: number, to: number, name: string, says: string): VinPart => ({
    kind,
    characters: vin.slice(from - 1, to),
    from,
    name,
    short: SHORT_NAMES[kind],
    says,
  });
  const serial = isSmallMaker
    ? [
        part('wmi', 12, 14, 'Maker, second half', 'Tells small makers with the same first three characters apart.'),
        part('serial', 15, 17, 'Serial number', serialSays(report)),
      ]
    : [part('serial', 12, 17, 'Serial number', serialSays(report))];
  return [
    part('wmi', 1, 3, 'Maker (WMI)', makerSays(report)),
    part('vds', 4, 8, 'Vehicle (VDS)', vehicleSays(report)),
    part('check', 9, 9, 'Check digit', checkSays(vin, report)),
    part('year', 10, 10, 'Year code', yearSays(report)),
    part('plant', 11, 11, 'Plant code', plantSays(report, hidesPlant)),
    ...serial,
  ];
}

function makerSays({ manufacturer, region }: ReportToDraw): string {
  const found = joined(manufacturer, region);
  return sentence(found ?? 'This maker is not in the catalog');
}

function vehicleSays({ model, trim, bodyStyle }: ReportToDraw): string {
  const found = joined(joined(model, trim)?.replace(', ', ' '), bodyStyle);
  return sentence(found ?? "The maker's code for the model, body, and engine");
}

function yearSays({ modelYear }: ReportToDraw): string {
  const year = textOf(modelYear);
  return year === undefined ? 'Year not clear from this VIN.' : `Model year ${year}.`;
}

/** Bodies that people call a car. */
const CARS: ReadonlySet<unknown> = new Set(['sedan', 'wagon', 'hatchback', 'coupe', 'cabrio', 'suv']);

function plantSays({ plant }: ReportToDraw, hidesPlant: boolean): string {
  return sentence(textOf(plant) ?? (hidesPlant ? 'Plant code (upgrade to see the plant)' : 'Plant code'));
}

function serialSays({ bodyStyleNormalized: body }: ReportToDraw): string {
  return `This ${CARS.has(body) ? 'car' : 'vehicle'}'s serial number.`;
}

function checkSays(vin: string, { manufacturer }: ReportToDraw): string {
  const expected = checkDigitOf(vin);
  const found = vin.charAt(8);
  if (expected === found) return 'Matches the other 16 characters.';
  if (requiresCheckDigit(vin)) return `Should be ${expected}: one of the 17 characters is likely mistyped.`;
  // Outside North America and China no law prescribes one; makers may still use one.
  const isDigit = /[\dX]/.test(found);
  if (manufacturer === undefined || isDigit) return 'Does not match, but cars for this market need no check digit.';
  return 'Not used: cars for this market need no check digit.';
}

function joined(...values: unknown[]): string | undefined {
  const texts = values.map(textOf).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(', ');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
