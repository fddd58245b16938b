import { CONFIGURATIONS, type Draft } from './draft.ts';
import { PEOPLE_CARRIER } from './tidy.ts';

/** Codes round their size to a tenth of a liter, some up, some down. */
const SLACK_CC = 120;

/**
 * Holds cylinders, size and code of an engine against each other: NHTSA's rows give each by itself, and some contradict.
 * `tenths` of a liter are what the code means; 0 where it tells none.
 */
export function settleEngine(draft: Draft, tenths: number): void {
  const cylinders = draft.codeCylinders;
  if (cylinders === 0) return;
  if (draft.displacementCc === 0 && (draft.cylinders === 0 || draft.cylinders === cylinders)) {
    draft.cylinders = cylinders;
    draft.displacementCc = tenths * 100;
  }
  const sizeAgrees = draft.displacementCc !== 0 && Math.abs(draft.displacementCc - tenths * 100) <= SLACK_CC;
  const sizeErrs = draft.displacementCc !== 0 && tenths !== 0 && !sizeAgrees;
  if (draft.cylinders === cylinders) {
    if (sizeErrs) draft.engineModel = '';
    return;
  }
  if (draft.cylinders !== 0 && tenths !== 0 && sizeAgrees) {
    draft.cylinders = cylinders;
    draft.configuration = 0;
  } else if (draft.cylinders !== 0) {
    draft.engineModel = '';
    // The displacement neither confirms nor contradicts the code.
    if (!sizeErrs) draft.cylinders = 0;
  }
}

/** Drops a code that contradicts the cylinders, once these are settled. */
export function dropContradictedCode(draft: Draft): void {
  if (draft.codeCylinders !== 0 && draft.cylinders !== 0 && draft.codeCylinders !== draft.cylinders)
    draft.engineModel = '';
}

/** Cubic centimeters of one cylinder: those of an engine with several are no smaller, those of a car no larger. */
const SMALLEST_CYLINDER_CC = 120;
const LARGEST_CAR_CYLINDER_CC = 950;

/** Drops what no car or truck has, such as a straight eight of today, or six cylinders that make 152 cubic centimeters. */
export function dropImpossibleEngine(draft: Draft): void {
  const { cylinders, displacementCc, vehicleType, bodyLabel } = draft;
  if (cylinders < 2 || vehicleType === 'Motorcycle') return;
  if (isImpossible(CONFIGURATIONS[draft.configuration] ?? '', cylinders)) draft.configuration = 0;
  if (displacementCc === 0) return;
  const cylinderCc = displacementCc / cylinders;
  const isCar = vehicleType === 'Passenger car' || bodyLabel === PEOPLE_CARRIER;
  const isTooLarge = isCar && cylinderCc > LARGEST_CAR_CYLINDER_CC;
  if (cylinderCc >= SMALLEST_CYLINDER_CC && !isTooLarge) return;
  draft.cylinders = 0;
  draft.configuration = 0;
  draft.displacementCc = 0;
}

function isImpossible(configuration: string, cylinders: number): boolean {
  if (configuration === 'Inline') return cylinders > 6;
  if (configuration === 'Flat') return cylinders % 2 === 1;
  // The last cars with a V4 were built in the seventies.
  return configuration === 'V' && (cylinders === 3 || cylinders === 4);
}
