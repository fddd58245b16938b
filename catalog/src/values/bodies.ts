import { BODY_STYLES, type BodyStyle } from '@marque/decoder';

import { bodyLabel } from './labels.ts';
import { keyOf, once, readTable } from './table.ts';
import { VEHICLE_TYPES, type VehicleType } from './vocabulary.ts';
import { wordOf } from './words.ts';

/** A body as people say it ("Hatchback, 5-door") and its canonical style. */
interface BodyClass {
  label: string;
  body: BodyStyle;
}

const bodies = once(() => readTable('bodies.csv', ['vpic', 'label', 'body']));
/** The one body that a family was built with, and what people call it. */
interface FamilyBody extends BodyClass {
  make: string;
  model: string;
  /** "*": all of them. */
  generation: string;
  /** The label that such a body has elsewhere. */
  usual: string;
}

/** facts/values/family-bodies.csv. Without a label it is the usual one. */
export const familyBodies = once((): FamilyBody[] => {
  const columns = ['make', 'model', 'generation', 'body', 'label', 'reason'] as const;
  return Array.from(readTable('family-bodies.csv', columns, 3, (text) => text).values(), (row) => {
    const body = wordOf(BODY_STYLES, row.body);
    const usual = bodyLabel(body) ?? '';
    return { make: row.make, model: row.model, generation: row.generation, body, usual, label: row.label || usual };
  });
});

const cabs = once(() => readTable('cabs.csv', ['vpic', 'label']));
const types = once(() => readTable('vehicle-types.csv', ['vpic', 'label']));

/**
 * Returns the body that vPIC's body class (element 5) names; undefined where the class is not in
 * facts/values/bodies.csv.
 *
 * `doors` (element 14) refines a hatchback: vPIC counts the tailgate or not, so 2 and 3, and 4 and 5, are the same car.
 * `cab` (element 4) refines a pickup.
 */
export function bodyClass(vpicBody: string, refine: { doors?: number; cab?: string } = {}): BodyClass | undefined {
  const row = bodies().get(keyOf(vpicBody));
  if (!row) return undefined;
  const body = wordOf(BODY_STYLES, row.body);
  const detail = body === 'hatchback' ? hatchbackDoors(refine.doors) : body === 'pickup' ? cabLabel(refine.cab) : '';
  return { label: detail ? `${row.label}, ${detail}` : row.label, body };
}

function hatchbackDoors(doors: number | undefined): string {
  if (doors === 2 || doors === 3) return '3-door';
  if (doors === 4 || doors === 5) return '5-door';
  return '';
}

function cabLabel(cab: string | undefined): string {
  return cab === undefined ? '' : (cabs().get(keyOf(cab))?.label ?? '');
}

/** Returns the kind of vehicle that vPIC's vehicle type (element 39) names; undefined where it is not in the table. */
export function vehicleType(vpicType: string): VehicleType | undefined {
  const row = types().get(keyOf(vpicType));
  return row && wordOf(VEHICLE_TYPES, row.label);
}
