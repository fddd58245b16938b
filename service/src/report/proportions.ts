/** A side view on a ground at y = 100, nose to the left: the outline, lines within it, and wheels of one size. */
export interface Drawing {
  outline: string;
  lines: string;
  wheels: { at: readonly number[]; radius: number };
  /** Leftmost, rightmost and highest point. */
  box: readonly [left: number, right: number, top: number];
}

/** Dimensions of a vehicle in millimeters, as far as they are known. */
export interface Dimensions {
  length: number | undefined;
  height: number | undefined;
  wheelbase: number | undefined;
}

export const GROUND = 100;

/** How high a drawing may be. */
const HIGHEST = 94;

/** How much a part may be stretched beyond the others: a vehicle that needs more does not look like the drawing. */
const [LEAST, MOST] = [0.5, 2];

/**
 * A drawing in a vehicle's own proportions: overhangs, wheelbase and height as they are to its length. Undefined where the length is
 * unknown, or where dimensions ask for what the drawing cannot be. Pure.
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
    // Within the part that it is in; beyond the ends, as the part beside it.
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

/** Where the ends and the outer axles of a drawing come to be, in its middle. */
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

/** What follows the commands of a path that the drawings have: which axis each number is of. */
const AXES: Readonly<Record<string, string>> = { M: 'xy', L: 'xy', Q: 'xyxy', H: 'x', V: 'y' };

/** A path with each of its points moved. Relative commands become absolute ones. */
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
