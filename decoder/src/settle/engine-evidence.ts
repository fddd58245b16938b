import { F, type Ledger } from './ledger.ts';
import { SOURCE } from './precedence.ts';
import { BY } from './reasons.ts';
import { CONFIGURATIONS } from '../report/draft.ts';
import { PEOPLE_CARRIER } from './wording.ts';

/** Codes round their size to a tenth of a liter, some up, some down. */
const SLACK_CC = 120;

/**
 * Cross-checks cylinders, displacement and engine code, which NHTSA lists independently of each other. `tenths` of a
 * liter are what the code means; 0 where it means none.
 */
export function checkEngineCode(ledger: Ledger, tenths: number): void {
  const { codeCylinders: cylinders, displacementCc, cylinders: read } = ledger.known;
  if (cylinders === 0) return;
  const { engineCodes } = SOURCE;
  if (displacementCc === 0 && (read === 0 || read === cylinders)) {
    ledger.claim(engineCodes, F.cylinders, cylinders, BY.engineCode);
    ledger.claim(engineCodes, F.displacementCc, tenths * 100, BY.engineCode);
    return;
  }
  const sizeAgrees = displacementCc !== 0 && Math.abs(displacementCc - tenths * 100) <= SLACK_CC;
  const sizeErrs = displacementCc !== 0 && tenths !== 0 && !sizeAgrees;
  if (read === cylinders) {
    if (sizeErrs) ledger.drop(engineCodes, F.engineModel, BY.engineCode);
  } else if (read !== 0 && tenths !== 0 && sizeAgrees) {
    ledger.claim(engineCodes, F.cylinders, cylinders, BY.engineCode);
    ledger.drop(engineCodes, F.configuration, BY.engineCode);
  } else if (read !== 0) {
    ledger.drop(engineCodes, F.engineModel, BY.engineCode);
    // The displacement neither confirms nor contradicts the code.
    if (!sizeErrs) ledger.drop(engineCodes, F.cylinders, BY.engineCode);
  }
}

/** Drops a code that contradicts the cylinders, once these are known. */
export function dropContradictedCode(ledger: Ledger): void {
  const { codeCylinders, cylinders } = ledger.known;
  if (codeCylinders === 0 || cylinders === 0 || codeCylinders === cylinders) return;
  ledger.drop(SOURCE.possible, F.engineModel, BY.contradicted);
}

/** The least of one cylinder of an engine with several, and the most of one of a car, in cubic centimeters. */
const SMALLEST_CYLINDER_CC = 120;
const LARGEST_CAR_CYLINDER_CC = 950;

/**
 * Drops engines that no car or truck has, such as a straight eight of today, or six cylinders that make 152 cubic
 * centimeters.
 */
export function dropImpossibleEngine(ledger: Ledger): void {
  const { cylinders, displacementCc, vehicleType, bodyLabel, configuration } = ledger.known;
  if (cylinders < 2 || vehicleType === 'Motorcycle') return;
  if (isImpossible(CONFIGURATIONS[configuration] ?? '', cylinders)) {
    ledger.drop(SOURCE.possible, F.configuration, BY.impossible);
  }
  if (displacementCc === 0) return;
  const cylinderCc = displacementCc / cylinders;
  const isCar = vehicleType === 'Passenger car' || bodyLabel === PEOPLE_CARRIER;
  const isTooLarge = isCar && cylinderCc > LARGEST_CAR_CYLINDER_CC;
  if (cylinderCc >= SMALLEST_CYLINDER_CC && !isTooLarge) return;
  for (const field of [F.cylinders, F.configuration, F.displacementCc])
    ledger.drop(SOURCE.possible, field, BY.impossible);
}

function isImpossible(configuration: string, cylinders: number): boolean {
  if (configuration === 'Inline') return cylinders > 6;
  if (configuration === 'Flat') return cylinders % 2 === 1;
  // The last cars with a V4 were built in the seventies.
  return configuration === 'V' && (cylinders === 3 || cylinders === 4);
}
