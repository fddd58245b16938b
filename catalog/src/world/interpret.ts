import type { BodyStyle, Confidence } from '@marque/decoder';

import { WORLD_FIELDS } from '@marque/decoder/format';
import { bodyLabel } from '../values/labels.ts';
import { fixedOf, holds } from './holds.ts';
import { discriminatorOf, LATEST, wmiOf, yearCandidates } from './layout-fit.ts';
import type { WorldOutputs, VinLayout, WorldRow } from './model.ts';
import { intersection, overlap, type Window, yearFit } from './years.ts';

/** The facts' interpretation of a VIN. */
export interface Interpretation {
  layout: VinLayout;
  /** Decoded values. `modelYear` is there if the year character, a row, or a window of one year gives it. */
  outputs: WorldOutputs;
  /** The bodies between which the rows do not decide. Empty if the body is decided or unknown. */
  possibleBodies: readonly BodyStyle[];
  /** First and last year that all deciding rows cover. */
  production: Window;
  /** The rows that gave the outputs. */
  rows: readonly WorldRow[];
}

interface Vote {
  row: WorldRow;
  fixed: number;
  yearFit: number;
}

const CONFIDENCE: Readonly<Record<Confidence, number>> = { A: 3, B: 2, C: 1, G: 0 };

/** Fields that do not say which car it is, or follow from those that do. */
const NOT_DATED: ReadonlySet<keyof WorldOutputs> = new Set(['make', 'plantCity', 'plantCountry', 'bodyLabel']);

/** Fields in which a row that contradicts the answer loses its say in everything else: it is about another vehicle. */
const IDENTITY: readonly (keyof WorldOutputs)[] = ['model', 'fuelType', 'displacementCc'];

/** Serial numbers between two model years are of either. */
const TURN_OF_YEARS = 2;

/** Fields of the plant, decided last, from the rows of the vehicle's years: a plant code alone gives no years. */
const PLANT: readonly (keyof WorldOutputs)[] = ['plantCity', 'plantCountry'];

/**
 * Decodes a VIN by reading every row, slowly and plainly: the reference for the compiled catalog.
 *
 * The layout with the most specific discriminator counts. In it, every row votes whose pattern matches and whose years
 * are possible; for each field more fixed positions beat fewer, then a window that contains the year beats one beside
 * it, then confidence decides; values that are still tied and disagree are left out.
 *
 * @param latest the last year that can have been coded
 * @param sharedWmis those that several makes use: there the layout gives the make only with a model
 */
export function interpret(
  layouts: readonly VinLayout[],
  vin: string,
  latest = LATEST,
  sharedWmis: ReadonlySet<string> = new Set(),
): Interpretation | undefined {
  let best: { reading: Interpretation; rank: number } | undefined;
  for (const layout of layouts) {
    const discriminator = discriminatorOf(layout, vin);
    if (discriminator === undefined) continue;
    const candidates = yearCandidates(layout, vin, latest);
    if (candidates === 'none in the layout') continue;
    const shared = layout.makeNeedsModel && sharedWmis.has(wmiOf(layout, vin));
    const { reading, modelFixed } = read(layout, vin, candidates, shared);
    const rank = discriminator * 100 + modelFixed;
    if (best === undefined || rank > best.rank) best = { reading, rank };
  }
  return best?.reading;
}

function read(
  layout: VinLayout,
  vin: string,
  candidates: readonly number[],
  shared: boolean,
): { reading: Interpretation; modelFixed: number } {
  const matching = layout.rows.filter(
    (row) => holds(row, vin) && (candidates.length > 0 || overlap(row.years, layout.years)),
  );
  const year = settleYear(matching, candidates);
  const possible = year === undefined ? candidates : [year];
  const votes: Vote[] = [];
  for (const row of matching) {
    const fit = possible.length === 0 ? 2 : Math.max(...possible.map((candidate) => yearFit(row.years, candidate)));
    if (fit > 0) votes.push({ row, fixed: fixedOf(row), yearFit: fit });
  }
  let vehicle = settleVehicle(layout, votes, shared);
  const told = vehicle.settled.outputs.modelYear;
  if (told !== undefined && yearsMissed(told, vehicle.settled) > YEARS_MISSED) {
    // Type codes are reused decades later; ignore the earlier car's rows.
    const ofTheYear = votes.filter(({ row }) => yearFit(row.years, told) > 0);
    vehicle = settleVehicle(layout, ofTheYear, shared);
  }
  const { settled, production } = vehicle;
  const { outputs } = settled;
  const single = production[0] !== null && production[0] === production[1] ? production[0] : undefined;
  const coded = isOfNoModel(matching, candidates) ? undefined : year;
  const isOfOthers = outputs.modelYear !== undefined && yearsMissed(outputs.modelYear, settled) > 0;
  const usual = outputs.modelYear ?? coded ?? (layout.year === 'none' ? single : undefined);
  const settledYear = isOfOthers ? undefined : usual;
  // A row about one of two cycles does not choose between them.
  const modelYear = possible.length > 1 ? undefined : settledYear;
  if (modelYear === undefined) delete outputs.modelYear;
  else outputs.modelYear = modelYear;
  const modelFixed = Math.max(
    0,
    ...votes.filter(({ row }) => row.outputs.model !== undefined).map(({ fixed }) => fixed),
  );
  const rows = settled.votes.map(({ row }) => row);
  return { reading: { layout, outputs, possibleBodies: settled.bodies, production, rows }, modelFixed };
}

function settleVehicle(
  layout: VinLayout,
  votes: readonly Vote[],
  shared: boolean,
): { settled: ReturnType<typeof settle>; production: Window } {
  const settled = settle(layout, votes, shared);
  const { outputs } = settled;
  const { production, ofTwoGenerations } = productionOf(settled.votes, outputs);
  if (ofTwoGenerations) delete outputs.generation;
  const ofTheTime = settled.votes.filter(({ row }) => overlap(row.years, production));
  for (const field of PLANT) put(outputs, field, settleField(ofTheTime, field));
  return { settled, production };
}

/** Returns the most years by which a model year is outside those of the rows that give an output. */
function yearsMissed(year: number, { votes, outputs }: ReturnType<typeof settle>): number {
  const dated = WORLD_FIELDS.filter((field) => outputs[field] !== undefined && !NOT_DATED.has(field));
  const windows = dated.flatMap((field) => topVotes(votes, field).slice(0, 1)).map(({ row }) => row.years);
  return Math.max(
    0,
    ...windows.map(([from, to]) => Math.max((from ?? -Infinity) - year, year - ((to ?? Infinity) + 1))),
  );
}

/** Rows miss the first or the last years of a model, but not this many. */
const YEARS_MISSED = 10;

/** Returns true if the rows name models, all of them built long before or after the one year that the VIN may mean. */
function isOfNoModel(rows: readonly WorldRow[], [year, another]: readonly number[]): boolean {
  if (year === undefined || another !== undefined) return false;
  const models = rows.filter(({ outputs }) => outputs.model !== undefined);
  return models.length > 0 && !models.some(({ years }) => overlap(years, [year - YEARS_MISSED, year + YEARS_MISSED]));
}

/** Returns the one year under which the model is best explained; undefined if the VIN leaves more than one. */
function settleYear(rows: readonly WorldRow[], candidates: readonly number[]): number | undefined {
  if (candidates.length < 2) return candidates[0];
  const named = rows.filter((row) => row.outputs.model !== undefined);
  const about = candidates.map((year) => named.filter((row) => yearFit(row.years, year) > 0));
  const explained = about.map((own) => Math.max(0, ...own.map((row) => fixedOf(row))));
  const most = Math.max(...explained);
  const [year, another] = candidates.filter((_, index) => explained[index] === most);
  if (another === undefined) return most > 0 ? year : undefined;
  // All rows of the model decide the year if the longest ones do not: a row about a body often has no years.
  const models = new Set(about.flat().flatMap((row) => (fixedOf(row) === most ? [row.outputs.model] : [])));
  if (models.size !== 1) return undefined;
  const told = candidates.filter((_, index) =>
    about[index]?.some((row) => models.has(row.outputs.model) && about[1 - index]?.includes(row) === false),
  );
  return told.length === 1 ? told[0] : undefined;
}

/** Decides every field from the votes; returns the votes that were not about another vehicle. */
function settle(
  layout: VinLayout,
  all: readonly Vote[],
  shared: boolean,
): { outputs: WorldOutputs; bodies: BodyStyle[]; votes: Vote[] } {
  const outputs: WorldOutputs = {};
  let votes = all.filter(({ row }) => row.guard === undefined);
  let built: Window = [null, null];
  for (const field of IDENTITY) {
    const top = topVotes(votes, field);
    const values = new Set(top.map(({ row }) => row.outputs[field]));
    if (values.size === 0) continue;
    votes = votes.filter(({ row }) => row.outputs[field] === undefined || values.has(row.outputs[field]));
    if (values.size === 1) put(outputs, field, top[0]?.row.outputs[field]);
    if (field === 'model') built = yearsOf(votes, outputs.model);
    votes = votes.filter(({ row }) => isOfEra(row, built));
    if (field === 'model') put(outputs, 'make', makeOf(votes, top, layout.make));
  }
  if (topVotes(votes, 'model').length === 0) put(outputs, 'make', makeOf(votes, [], shared ? undefined : layout.make));
  const generation = settleField(votes, 'generation');
  votes.push(
    ...all.filter(({ row }) => row.guard !== undefined && row.guard.generation === generation && isOfEra(row, built)),
  );
  for (const field of WORLD_FIELDS) {
    if (field === 'bodyLabel' || field === 'make' || IDENTITY.includes(field) || PLANT.includes(field)) continue;
    put(outputs, field, settleField(votes, field));
  }
  if (outputs.vehicleType === undefined) put(outputs, 'vehicleType', layout.vehicleType);
  const tops = topVotes(votes, 'body');
  const bodies = [...new Set(tops.map(({ row }) => row.outputs.body))].filter((body) => body !== undefined);
  const [body] = bodies;
  if (bodies.length === 1 && body !== undefined) put(outputs, 'bodyLabel', labelOf(tops, body));
  return { outputs, bodies: bodies.length > 1 ? bodies : [], votes };
}

/** Returns the years from the first to the last in which rows have a model; open where they name none. */
function yearsOf(votes: readonly Vote[], model: string | undefined): Window {
  const rows = model === undefined ? [] : votes.filter(({ row }) => row.outputs.model === model);
  const froms = rows.map(({ row }) => row.years[0] ?? -Infinity);
  const tos = rows.map(({ row }) => row.years[1] ?? Infinity);
  const [from, to] = [Math.min(...froms), Math.max(...tos)];
  return [Number.isFinite(from) ? from : null, Number.isFinite(to) ? to : null];
}

/**
 * Returns false for a row about years in which the model was not built: its code was another vehicle's. A row that
 * tells the year stays, since it may show that it is the model that is another's.
 */
function isOfEra({ years: [from, to], outputs }: WorldRow, [first, last]: Window): boolean {
  if (outputs.modelYear !== undefined) return true;
  return (from ?? -Infinity) <= (last ?? Infinity) + 1 && (first ?? -Infinity) <= (to ?? Infinity) + 1;
}

/**
 * Returns the make of the winning model if its rows name one, else the one that the other rows agree on, else the
 * layout's.
 */
function makeOf(votes: readonly Vote[], model: readonly Vote[], usual: string | undefined): string | undefined {
  const named = model.filter(({ row }) => row.outputs.make !== undefined);
  const rows = named.length > 0 ? named : topVotes(votes, 'make');
  const makes = new Set(rows.map(({ row }) => row.outputs.make));
  if (makes.size === 0) return usual;
  return makes.size === 1 ? [...makes][0] : undefined;
}

function labelOf(votes: readonly Vote[], body: BodyStyle): string | undefined {
  const labels = new Set(votes.map(({ row }) => row.outputs.bodyLabel));
  return labels.size === 1 ? [...labels][0] : bodyLabel(body);
}

function settleField<F extends keyof WorldOutputs>(votes: readonly Vote[], field: F): WorldOutputs[F] | undefined {
  const [first, ...rest] = topVotes(votes, field);
  const value = first?.row.outputs[field];
  return rest.every(({ row }) => row.outputs[field] === value) ? value : undefined;
}

/** Returns the votes on a field that no other vote on it outranks. */
function topVotes(votes: readonly Vote[], field: keyof WorldOutputs): Vote[] {
  let top: Vote[] = [];
  for (const vote of votes) {
    if (vote.row.outputs[field] === undefined) continue;
    const order = top[0] === undefined ? 1 : compare(vote, top[0]);
    if (order > 0) top = [vote];
    else if (order === 0) top.push(vote);
  }
  return top;
}

function compare(a: Vote, b: Vote): number {
  return a.fixed - b.fixed || a.yearFit - b.yearFit || CONFIDENCE[a.row.confidence] - CONFIDENCE[b.row.confidence];
}

/**
 * Returns the years that every row that gave the outputs covers, except rows about the plant alone; open if they have
 * none in common, and if they only touch in a year that no row is about. Two long windows that touch are of two
 * generations.
 */
function productionOf(
  votes: readonly Vote[],
  outputs: WorldOutputs,
): { production: Window; ofTwoGenerations: boolean } {
  const supporting = votes.filter(({ row }) => supports(row, outputs)).map(({ row }) => row.years);
  let window: Window | undefined = [null, null];
  for (const years of supporting) window = window === undefined ? undefined : intersection(window, years);
  if (window === undefined) return { production: [null, null], ofTwoGenerations: false };
  const fewest = Math.min(...supporting.map(([from, to]) => (from === null || to === null ? Infinity : to - from + 1)));
  const touches = window[0] !== null && window[0] === window[1] && fewest > 1;
  return { production: touches ? [null, null] : window, ofTwoGenerations: touches && fewest > TURN_OF_YEARS };
}

/** Returns true if a row gave one of the outputs, and not only the plant. */
function supports(row: WorldRow, outputs: WorldOutputs): boolean {
  const said = WORLD_FIELDS.filter((field) => row.outputs[field] !== undefined);
  if (said.length === 0) return true;
  return !said.every((field) => PLANT.includes(field)) && said.some((field) => row.outputs[field] === outputs[field]);
}

function put<F extends keyof WorldOutputs>(outputs: WorldOutputs, field: F, value: WorldOutputs[F] | undefined): void {
  if (value !== undefined) outputs[field] = value;
}
