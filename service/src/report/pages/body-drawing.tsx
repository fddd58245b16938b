import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import { valueAt } from '../../kernel/records.ts';
import { count } from '../../kernel/ui/numbers.ts';

const CAR_WHEELS = { at: [72, 228], radius: 17 };
const BELT = 'M96 58H246M162 32V88M150 66h8M214 66h8';

/** Our own drawings, one a body style. */
export const DRAWINGS: Readonly<Record<Exclude<BodyStyle, 'unknown'>, Drawing>> = {
  other: {
    outline: 'M20 88V66L92 56 128 32H204L244 56 280 62V88Z',
    lines: 'M92 58H244',
    wheels: CAR_WHEELS,
    box: [20, 280, 32],
  },
  sedan: {
    outline: 'M18 86Q16 68 30 64L88 57 124 35Q130 32 140 32H190Q202 32 210 38L240 56 276 60Q284 64 282 86Z',
    lines: 'M92 58H240M160 32V86M126 38 104 57M206 38 224 57M150 66h8M208 66h8',
    wheels: CAR_WHEELS,
    box: [18, 282, 32],
  },
  wagon: {
    outline: 'M18 86Q16 68 30 64L88 57 122 35Q128 32 138 32H250Q258 32 262 38L276 60Q284 64 282 86Z',
    lines: `${BELT}M214 32V86M124 38 102 57`,
    wheels: CAR_WHEELS,
    box: [18, 282, 32],
  },
  hatchback: {
    outline: 'M30 86Q28 68 42 64L92 57 126 33Q132 30 142 30H216Q226 30 232 36L258 60Q268 66 266 86Z',
    lines: 'M96 58H256M166 30V86M128 36 106 57M218 34 228 57M154 66h8',
    wheels: { at: [80, 222], radius: 17 },
    box: [30, 266, 30],
  },
  coupe: {
    outline: 'M16 86Q14 70 30 66L96 58 138 38Q144 35 156 35H186Q202 36 216 44L252 57 278 62Q286 66 284 86Z',
    lines: 'M100 59H246M138 42 116 58M196 59V86M116 60V86M184 67h8',
    wheels: CAR_WHEELS,
    box: [16, 284, 35],
  },
  cabrio: {
    outline: 'M16 86Q14 70 30 66L98 58 126 38 130 40 114 59H232L278 62Q286 66 284 86Z',
    lines: 'M196 59V86M118 60V86M184 67h8M168 59Q166 46 174 46 182 46 182 59M208 59Q206 48 214 48 222 48 222 59',
    wheels: CAR_WHEELS,
    box: [16, 284, 38],
  },
  suv: {
    outline: 'M20 82Q18 58 30 54L92 48 122 22Q126 18 136 18H248Q258 18 262 26L274 52Q282 56 280 82Z',
    lines: 'M94 50H272M160 18V82M216 18V82M124 25 104 49M148 58h8M204 58h8',
    wheels: { at: [74, 228], radius: 21 },
    box: [20, 280, 18],
  },
  van: {
    outline: 'M22 86Q20 64 32 58L62 50 92 16Q96 10 108 10H270Q280 10 280 20V86Z',
    lines: 'M76 50H134V20M134 16V86M96 20 78 49M202 16V86M134 54H280M124 60h8',
    wheels: { at: [70, 232], radius: 18 },
    box: [22, 280, 10],
  },
  pickup: {
    outline: 'M16 84Q14 62 28 58L84 52 112 28Q116 24 126 24H176Q184 24 186 30L192 54H284V84Z',
    lines: 'M86 53H190M146 24V84M192 54V84M114 30 98 52M136 61h8M192 62H284',
    wheels: { at: [68, 236], radius: 19 },
    box: [16, 284, 24],
  },
  truck: {
    outline: 'M14 86V48Q16 40 22 36L34 16Q36 12 42 12H80V82H92V6H286V86Z',
    lines: 'M24 46H66V20H38M66 46V86M80 24V86M92 74H286',
    wheels: { at: [48, 214, 252], radius: 17 },
    box: [14, 286, 6],
  },
  bus: {
    outline: 'M12 86V22Q12 12 22 12H280Q288 12 288 20V86Z',
    lines: 'M12 52H288M40 20V86M64 20V86M64 20H12M104 20V52M144 20V52M184 20V52M224 20V52M262 20V52M64 20H288',
    wheels: { at: [86, 226], radius: 17 },
    box: [12, 288, 12],
  },
  motorcycle: {
    outline: 'M118 44Q132 34 152 40L170 46H206L222 40 216 52 188 58 178 84H138L126 58Z',
    lines: 'M92 72 118 30 108 22M118 30H130M146 84 158 58M178 82 216 72M196 58 212 66M112 42 104 38',
    wheels: { at: [90, 216], radius: 28 },
    box: [62, 244, 22],
  },
  trailer: {
    outline: 'M72 84V14H284V84Z',
    lines: 'M72 72H284M72 78H34M34 70V94M22 78H34M124 14V72M178 14V72M232 14V72',
    wheels: { at: [196, 236], radius: 16 },
    box: [22, 284, 14],
  },
};

/**
 * Draws the vehicle's body style, in its own proportions if they are known, with the report's dimensions as measure
 * lines.
 */
export function BodyDrawing({ report }: { report: Record<string, unknown> }) {
  const body = BODY_STYLES.find((style) => style === report['bodyStyleNormalized']);
  if (body === undefined || body === 'unknown') return null;
  const length = millimeters(report, 'lengthMm');
  const height = millimeters(report, 'heightMm');
  const wheelbase = millimeters(report, 'wheelbaseMm');
  const own = inProportion(DRAWINGS[body], { length, height, wheelbase });
  const { outline, lines, wheels, box } = own ?? DRAWINGS[body];
  const [left, right, top] = box;
  const front = wheels.at[0] ?? left;
  const rear = wheels.at.at(-1) ?? right;
  return (
    <svg
      class="body-drawing"
      viewBox={`0 0 ${height === undefined ? 300 : 344} ${length === undefined && wheelbase === undefined ? 104 : 148}`}
      role="img"
      aria-label={`Side view of a ${body}, ${own === undefined ? 'not to scale' : 'in its own proportions'}`}
    >
      <path class="outline" d={outline} pathLength={1} />
      <path class="detail" d={lines} />
      {wheels.at.map((x) => (
        <g key={x}>
          <circle class="wheel" cx={x} cy={GROUND - wheels.radius} r={wheels.radius} />
          <circle class="detail" cx={x} cy={GROUND - wheels.radius} r={Math.round(wheels.radius * 5.5) / 10} />
        </g>
      ))}
      <path class="ground" d="M6 100H294" />
      {wheelbase === undefined ? null : <Across from={front} to={rear} y={117} length={wheelbase} />}
      {length === undefined ? null : <Across from={left} to={right} y={138} length={length} />}
      {height === undefined ? null : (
        <g class="measure">
          <path d={`M${right + 4} ${top}H308M304 ${top}V100M301 ${top + 4}l3-4 3 4M301 96l3 4 3-4`} />
          <Figure length={height} x={309} y={(top + GROUND) / 2 + 3} />
        </g>
      )}
    </svg>
  );
}

/** A measure line between two points, arrows at both ends, its figure in the middle. */
function Across({ from, to, y, length }: { from: number; to: number; y: number; length: number }) {
  return (
    <g class="measure">
      <path d={`M${from} 102V${y + 3}M${to} 102V${y + 3}M${from} ${y}H${to}`} />
      <path d={`M${from + 4} ${y - 3}l-4 3 4 3M${to - 4} ${y - 3}l4 3-4 3`} />
      <Figure length={length} x={(from + to) / 2} y={y + 3} isOver />
    </g>
  );
}

/** A dimension in millimeters, and in inches for US units. */
function Figure({ length, x, y, isOver = false }: { length: number; x: number; y: number; isOver?: boolean }) {
  const inches = count(length / 25.4, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  const place = { x, y, ...(isOver ? { 'text-anchor': 'middle' as const } : {}) };
  return (
    <>
      <text class={isOver ? 'over metric' : 'metric'} {...place}>
        {count(length)}
      </text>
      <text class={isOver ? 'over us' : 'us'} {...place}>
        {inches}
      </text>
    </>
  );
}

function millimeters(report: Record<string, unknown>, name: string): number | undefined {
  const value = valueAt(report, `technicalSpecs.${name}`);
  return typeof value === 'number' ? value : undefined;
}

/** A side view on a ground at y = 100, nose to the left: the outline, lines within it, and wheels of one size. */
interface Drawing {
  outline: string;
  lines: string;
  wheels: { at: readonly number[]; radius: number };
  /** Leftmost, rightmost and highest point. */
  box: readonly [left: number, right: number, top: number];
}

/** The known dimensions of a vehicle, in millimeters. */
interface Dimensions {
  length: number | undefined;
  height: number | undefined;
  wheelbase: number | undefined;
}

export const GROUND = 100;

/** The greatest height of a drawing. */
const HIGHEST = 94;

/**
 * The factors by which a part may be stretched against the others: a vehicle that needs more does not look like the
 * drawing.
 */
const [LEAST, MOST] = [0.5, 2];

/**
 * Returns a drawing in a vehicle's own proportions: overhangs, wheelbase and height in proportion to its length.
 * Undefined if the length is unknown, or the dimensions exceed what the drawing can show. Pure.
 */
export function inProportion(drawing: Drawing, dimensions: Dimensions): Drawing | undefined {
  const { wheels, box } = drawing;
  const [left, right, top] = box;
  const { length, height } = dimensions;
  if (length === undefined) return undefined;
  const scale = Math.min((right - left) / length, height === undefined ? Infinity : HIGHEST / height);
  const zoom = (length * scale) / (right - left);
  const up = height === undefined ? zoom : (height * scale) / (GROUND - top);
  const from = [left, wheels.at[0] ?? left, wheels.at.at(-1) ?? right, right];
  const to = placesOf(from, dimensions, scale);
  const slopes = from.slice(1).map((stop, place) => {
    const [start = stop, [begin = 0, end = 0]] = [from[place], to.slice(place)];
    return (end - begin) / (stop - start);
  });
  if (![...slopes, up].every((slope) => slope / zoom >= LEAST && slope / zoom <= MOST)) return undefined;
  const x = (at: number): number => {
    // Within its part; beyond the ends, like the nearest part.
    const part = at < (from[1] ?? left) ? 0 : at < (from[2] ?? right) ? 1 : 2;
    return round((to[part] ?? 0) + (at - (from[part] ?? 0)) * (slopes[part] ?? 1));
  };
  const y = (at: number): number => round(GROUND - (GROUND - at) * up);
  return {
    outline: stretched(drawing.outline, x, y),
    lines: stretched(drawing.lines, x, y),
    wheels: { at: wheels.at.map(x), radius: round(wheels.radius * up) },
    box: [x(left), x(right), y(top)],
  };
}

/** Returns the positions of the ends and the outer axles of a drawing, in its middle. */
function placesOf(
  [left = 0, front = 0, rear = 0, right = 0]: readonly number[],
  of: Dimensions,
  scale: number,
): number[] {
  const { length = 0, wheelbase = (length * (rear - front)) / (right - left) } = of;
  const start = (left + right - length * scale) / 2;
  const share = (front - left) / (front - left + right - rear);
  const axle = start + (length - wheelbase) * share * scale;
  return [start, axle, axle + wheelbase * scale, start + length * scale];
}

/** Axes of the numbers after each path command that the drawings use. */
const AXES: Readonly<Record<string, string>> = { M: 'xy', L: 'xy', Q: 'xyxy', H: 'x', V: 'y' };

/** Returns a path with each of its points moved. Relative commands become absolute ones. */
function stretched(path: string, x: (at: number) => number, y: (at: number) => number): string {
  let text = '';
  const at = { x: 0, y: 0 };
  for (const [, command = '', numbers = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const axes = AXES[command.toUpperCase()] ?? '';
    const isRelative = command !== command.toUpperCase();
    const moved = (numbers.match(/-?\d+(?:\.\d+)?/g) ?? []).map((digits, place) => {
      const axis = axes[place % axes.length] === 'y' ? 'y' : 'x';
      at[axis] = Number(digits) + (isRelative ? at[axis] : 0);
      return axis === 'x' ? x(at.x) : y(at.y);
    });
    text += `${command.toUpperCase()}${moved.join(' ')}`;
  }
  return text;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
