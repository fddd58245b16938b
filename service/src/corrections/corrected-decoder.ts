import {
  type Decoder,
  fixedPositions,
  type Explanation,
  type FieldEvidence,
  type RowEvidence,
  type SharedReport,
  type VehicleReport,
  vpicElementsOf,
  type VpicFacts,
  type VpicRow,
  vpicRowsOf,
} from '@marque/decoder';

import { applyFields, mergeFields, textAt } from './apply.ts';
import type { CoveringOverride, OverrideIndex } from './override-index.ts';
import { positionsOf, scopeText } from './scope.ts';
import type { OverrideFields } from './types.ts';

/** Corrections are of whole VINs; NHTSA reads parts of them too. */
const WELL_FORMED = /^[A-HJ-NPR-Z0-9]{17}$/;

/** A decoder that answers with overrides. */
export interface CorrectedDecoder extends Decoder {
  /** Applies the overrides to a report that a source has completed: overrides take precedence over any source. */
  correct(report: VehicleReport): VehicleReport;
  /** Returns true if an override may apply to a VIN; false: none does. */
  mayCorrect(vin: string): boolean;
}

/**
 * Returns a decoder that applies overrides. All reports come from this one.
 *
 * @param catalog its decoder is read at each decode.
 * @param current the overrides in force, read at each decode.
 */
export function correctedDecoder(
  catalog: { readonly decoder: Decoder },
  current: () => OverrideIndex,
): CorrectedDecoder {
  const shared = (vin: string): SharedReport => {
    const common = catalog.decoder.shared(vin);
    const index = current();
    if (!index.mayCoverShared(common, vin)) return common;
    const report = common.for(vin);
    return alone(correct(report, index, report.modelYear));
  };
  return {
    get info() {
      return catalog.decoder.info;
    },
    decode: (vin) => shared(vin).for(vin),
    decodeToJson: (vin) => shared(vin).jsonFor(vin),
    shared,
    mayCorrect: (vin) => current().mayCover(vin),
    correct(report) {
      const index = current();
      // Patterns match the decoder's own year, even if an override has changed the report's.
      return index.mayCover(report.vin) ? correct(report, index, catalog.decoder.decode(report.vin).modelYear) : report;
    },
    explain(vin) {
      const explanation = catalog.decoder.explain(vin);
      const covering = current().covering(vin, explanation.report.modelYear);
      return covering.length === 0 ? explanation : explainCorrected(explanation, covering);
    },
    candidates(vin, hints) {
      const answer = catalog.decoder.candidates(vin, hints);
      const { report } = answer;
      const index = current();
      if (!report.validFormat || !index.mayCover(report.vin)) return answer;
      const corrected = correct(report, index, catalog.decoder.decode(report.vin).modelYear);
      // A field that a correction sets or leaves out is no longer open.
      const open = answer.open.filter(({ field }) => textAt(corrected, field) === textAt(report, field));
      return { ...answer, report: corrected, open };
    },
    vpic(vin, modelYear) {
      const rows = catalog.decoder.vpic(vin, modelYear);
      const index = current();
      if (!WELL_FORMED.test(vin) || !index.mayCover(vin)) return rows;
      const covering = index.covering(vin, catalog.decoder.decode(vin).modelYear);
      if (covering.length === 0) return rows;
      return correctRows(rows, mergeFields(covering.map(({ fields }) => fields)), catalog.decoder.vpicFacts);
    },
    get vpicFacts() {
      return catalog.decoder.vpicFacts;
    },
    suggest: (text, hints) => catalog.decoder.suggest(text, hints),
    suggestInSteps: (text, hints) => catalog.decoder.suggestInSteps(text, hints),
  };
}

/** Returns a report that no other VIN shares. */
function alone(report: VehicleReport): SharedReport {
  return { for: () => report, jsonFor: () => JSON.stringify(report) };
}

function correct(report: VehicleReport, index: OverrideIndex, modelYear: string | undefined): VehicleReport {
  const covering = index.covering(report.vin, modelYear);
  if (covering.length === 0) return report;
  return applyFields(report, mergeFields(covering.map(({ fields }) => fields)));
}

function explainCorrected(explanation: Explanation, covering: readonly CoveringOverride[]): Explanation {
  const fields = mergeFields(covering.map((override) => override.fields));
  const report = applyFields(explanation.report, fields);
  if (report.manufacturer === undefined) return { ...explanation, report };
  const evidence = new Map(explanation.fields.map((field) => [field.field, field]));
  for (const path of Object.keys(fields)) {
    evidence.set(path, evidenceFor(path, textAt(report, path), evidence.get(path), covering));
  }
  const styles = evidence.get('possibleBodyStyles');
  if (styles !== undefined && report.possibleBodyStyles === undefined && styles.value !== undefined) {
    evidence.set('possibleBodyStyles', { ...styles, value: undefined, note: 'A correction settles the body style.' });
  }
  return { report, fields: [...evidence.values()], reading: explanation.reading };
}

/** Overrides come first; the catalog's values become alternatives. */
function evidenceFor(
  path: string,
  value: string | undefined,
  before: FieldEvidence | undefined,
  covering: readonly CoveringOverride[],
): FieldEvidence {
  const speaking = covering
    .filter(({ fields }) => Object.hasOwn(fields, path))
    .map((override) => rowOf(path, override));
  const others = [...speaking.slice(1), ...(before?.rows ?? []), ...(before?.alternatives ?? [])];
  return {
    field: path,
    value,
    rows: [...speaking.slice(0, 1), ...others.filter((row) => row.value === value)],
    alternatives: others.filter((row) => row.value !== value),
    note: value === undefined ? 'Left out by a correction.' : 'Set by a correction.',
  };
}

function rowOf(path: string, { id, scope, fields }: CoveringOverride): RowEvidence {
  const value = fields[path];
  return {
    value: typeof value === 'object' ? (value?.join(', ') ?? '') : String(value),
    source: `override ${id}`,
    row: scopeText(scope),
    positions: positionsIn(scope),
    confidence: 'B',
  };
}

function positionsIn(scope: CoveringOverride['scope']): number[] {
  if (scope.kind === 'vin') return Array.from({ length: 17 }, (_, index) => index + 1);
  return fixedPositions(positionsOf(scope));
}

/** NHTSA's numbers of the make and the model, and of a model's years and types. */
const MODEL = 28;
const MAKE = 26;

/**
 * Returns a vPIC result with the fields of an override set or removed, in vPIC's terms. Fields without a variable are
 * ignored.
 */
function correctRows(rows: readonly VpicRow[], fields: OverrideFields, facts: VpicFacts): VpicRow[] {
  let corrected = [...rows];
  for (const [path, value] of Object.entries(fields)) {
    const elements = new Set(vpicElementsOf(path));
    if (elements.size === 0) continue;
    corrected = corrected.filter(([id]) => !elements.has(id));
    if (typeof value === 'string' || typeof value === 'number') corrected.push(...vpicRowsOf(path, value, facts));
  }
  return corrected.map((row) => (row[0] === MODEL ? withNumber(row, corrected, facts) : row));
}

/** Returns a corrected model with its vPIC id, if vPIC lists it for this make. */
function withNumber(row: VpicRow, rows: readonly VpicRow[], facts: VpicFacts): VpicRow {
  if (row[2] !== undefined) return row;
  const make = rows.find(([id]) => id === MAKE)?.[1] ?? '';
  const known = facts.modelsOf(make).find(({ name }) => name.toLowerCase() === row[1].toLowerCase());
  return known === undefined ? row : [row[0], row[1], known.id];
}
