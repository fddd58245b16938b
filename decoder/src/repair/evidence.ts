import type { VehicleReport } from '../report/report.ts';
import { hasValidCheckDigit, requiresCheckDigit } from '../vin/check-digit.ts';
import type { VpicRow } from '../vpic/view.ts';

/** Scores a VIN: the decoder itself. */
export interface Judge {
  decode(vin: string): VehicleReport;
  vpic(vin: string): VpicRow[];
}

/** The plausibility of a VIN. */
export interface Evidence {
  points: number;
  /** True if a make was decoded. */
  identified: boolean;
  /** True if make and model were decoded and neither check digit nor serial number contradicts them. */
  sound: boolean;
  /** The result of the check digit. */
  checkDigit: 'right' | 'wrong' | 'unused';
  /** The reasons for it, as sentences for people. */
  reasons: string[];
}

/**
 * Points for and against a VIN, in tenths of a power of ten, as everywhere here: a check digit is right by chance once
 * in eleven times.
 */
const POINTS = {
  checkDigit: 10,
  noCheckDigit: -16,
  make: 10,
  model: 12,
  modelYear: 4,
  plant: 3,
  body: 2,
  noYear: -8,
  noPattern: -6,
  /** NHTSA's rows name the characters of a position, and not this one: true of one right VIN in fourteen. */
  foreignCharacter: -12,
  /**
   * The points of a letter among the last digits, which is not legal in North America. Elsewhere, and on heavy trucks,
   * some makers number so.
   */
  letterAmongDigits: -30,
  letterElsewhere: -15,
  /** Position 12 has a letter in one VIN of eight, nearly always of the same few makers. */
  letterBeforeDigits: -5,
  uncovered: -2,
} as const;

/** The market of a VIN that is read by NHTSA's tables, also where nothing but its check digit is wrong. */
const NORTH_AMERICA = 'North America';

const VPIC = { model: 28, possibleValues: 144, errorCode: 143 } as const;
const CODE = { unknownWmi: '7', noPattern: '8', noYear: '11', uncovered: '14', illegal: '400' } as const;

/** Scores a well-formed VIN by its check digit, and by the part of it that the catalog's rows explain. */
export function evidenceOf(judge: Judge, vin: string): Evidence {
  const report = judge.decode(vin);
  const filed = new Map(judge.vpic(vin).map(([element, value]) => [element, value]));
  const codes = new Set((filed.get(VPIC.errorCode) ?? '').split(','));
  const evidence: Evidence = {
    points: 0,
    identified: report.manufacturer !== undefined,
    sound: report.model !== undefined,
    checkDigit: 'unused',
    reasons: [],
  };
  // The same WMIs build for other markets, where positions 9 and 10 may have any character.
  const filedModel = filed.has(VPIC.model) && !codes.has(CODE.noYear) && /[0-9X]/.test(vin.charAt(8));
  const required = requiresCheckDigit(vin) || (filedModel && report.specs?.market === NORTH_AMERICA);
  const northAmerican = judgeCheckDigit(evidence, vin, required, filedModel);
  const isFiled = northAmerican && !codes.has(CODE.unknownWmi);
  judgeReport(evidence, report, isFiled);
  judgeSerial(evidence, vin, northAmerican, codes.has(CODE.illegal));
  // NHTSA's rows do not cover vehicles that were built for other markets.
  if (isFiled) judgeFiling(evidence, codes, filed.get(VPIC.possibleValues) ?? '');
  return evidence;
}

/**
 * Scores the check digit. Returns true if the VIN counts as a North American one: there the check digit and NHTSA's
 * filings apply.
 */
function judgeCheckDigit(evidence: Evidence, vin: string, required: boolean, filedModel: boolean): boolean {
  if (!required && !filedModel) return false;
  if (hasValidCheckDigit(vin)) {
    evidence.points += POINTS.checkDigit;
    evidence.checkDigit = 'right';
    evidence.reasons.push('The check digit is right.');
    return true;
  }
  evidence.sound = false;
  if (!required) return false;
  evidence.points += POINTS.noCheckDigit;
  evidence.checkDigit = 'wrong';
  return true;
}

/**
 * Scores the report. @param isFiled position 11 is scored by the maker's filing: a known plant is not additional
 * evidence.
 */
function judgeReport(evidence: Evidence, report: VehicleReport, isFiled: boolean): void {
  if (report.manufacturer === undefined) return;
  evidence.points += POINTS.make;
  if (report.model !== undefined) evidence.points += POINTS.model;
  if (report.modelYear !== undefined) evidence.points += POINTS.modelYear;
  if (report.plant !== undefined && !isFiled) evidence.points += POINTS.plant;
  if (report.bodyStyle !== undefined) evidence.points += POINTS.body;
  const vehicle = [report.modelYear, report.manufacturer, report.model].filter((part) => part !== undefined).join(' ');
  evidence.reasons.push(`It reads as: ${vehicle}${report.plant === undefined ? '' : `, built in ${report.plant}`}.`);
}

/**
 * Scores the serial number (ISO 3779 clause 5.4 and 49 CFR 565.15(d)): the last four characters are digits; of a car's,
 * the last five.
 */
function judgeSerial(evidence: Evidence, vin: string, northAmerican: boolean, illegalCharacters: boolean): void {
  let letters = 0;
  for (let index = 13; index < 17; index++) if (isLetter(vin, index)) letters++;
  evidence.points += letters * (northAmerican ? POINTS.letterAmongDigits : POINTS.letterElsewhere);
  if (northAmerican && isLetter(vin, 12)) {
    evidence.points += illegalCharacters ? POINTS.letterAmongDigits : POINTS.letterElsewhere;
    letters++;
  }
  if (northAmerican && isLetter(vin, 11)) evidence.points += POINTS.letterBeforeDigits;
  if (letters > 0) evidence.sound = false;
  else evidence.reasons.push('Its serial number ends in digits.');
}

function isLetter(vin: string, index: number): boolean {
  return vin.charCodeAt(index) > 57;
}

function judgeFiling(evidence: Evidence, codes: ReadonlySet<string>, possibleValues: string): void {
  if (codes.has(CODE.noYear)) evidence.points += POINTS.noYear;
  if (codes.has(CODE.noPattern)) evidence.points += POINTS.noPattern;
  if (codes.has(CODE.uncovered)) evidence.points += POINTS.uncovered;
  // One bracket a position: "(6:ABC)(7:12)".
  const foreign = codes.has(CODE.noPattern) ? 0 : possibleValues.split('(').length - 1;
  evidence.points += foreign * POINTS.foreignCharacter;
  if (foreign === 0 && !codes.has(CODE.noPattern)) {
    evidence.reasons.push('The maker filed every character of positions 4 to 8 and 11.');
  }
}
