import { beforeEach, describe, expect, test } from 'vitest';

import { Container, type Section, writeContainer } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { BODY_STYLES } from '../report/report.ts';
import { F, Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import { CODE_OF, shortCode } from '../vin/characters.ts';
import { VinCodes } from '../vin/vin-codes.ts';
import { APPROVAL_NUMBERS, MASK_ANY } from './columns.ts';
import { ApprovalJoin } from './join.ts';
import { ApprovalTables } from './tables.ts';

/** One type of a mask. */
interface Type {
  model: string;
  fuel?: string;
  drive?: string;
  bodies?: readonly (typeof BODY_STYLES)[number][];
  cc?: number;
  powerKw?: number;
}

/** Masks of one WMI, all of which fix the same positions in order, with the types of each. */
type Masks = Readonly<Record<string, readonly Type[]>>;

const MAKE = 'Peugeot';

function codesOf(mask: string): number[] {
  return Array.from(mask, (character) => (character === '.' ? MASK_ANY : (CODE_OF[character.charCodeAt(0)] ?? 0)));
}

/** A join over a catalog of approvals that has these masks and nothing else. */
function joinOf(masks: Masks): ApprovalJoin {
  const texts = ['', MAKE, 'a source', 'A register'];
  const id = (text = ''): number => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text);
  };
  const types = Object.values(masks).flat();
  const starts = [0];
  for (const of of Object.values(masks)) starts.push((starts.at(-1) ?? 0) + of.length);
  const names = Object.keys(masks);
  const sections = new Map<string, Section>([
    ['approvals.source', Uint32Array.of(2, 3, 0)],
    ['approvals.group.wmi', Uint32Array.of(shortCode(Uint8Array.from(codesOf(names[0] ?? ''))))],
    ['approvals.group.start', Uint32Array.of(0, names.length)],
    ['approvals.codes', Uint8Array.from(names.flatMap(codesOf))],
    ['approvals.start', Uint32Array.from(starts)],
    ['approvals.make', Uint32Array.from(types, () => 1)],
    ['approvals.model', Uint32Array.from(types, ({ model }) => id(model))],
    ['approvals.fuel', Uint32Array.from(types, ({ fuel }) => id(fuel))],
    ['approvals.drive', Uint32Array.from(types, ({ drive }) => id(drive))],
    ['approvals.gearbox', new Uint32Array(types.length)],
    ['approvals.emissions', new Uint32Array(types.length)],
    ['approvals.of', new Uint8Array(types.length)],
    [
      'approvals.bodies',
      Uint16Array.from(types, ({ bodies = [] }) =>
        bodies.reduce((bits, body) => bits | (1 << BODY_STYLES.indexOf(body)), 0),
      ),
    ],
  ]);
  for (const name of APPROVAL_NUMBERS) {
    const valueOf = (type: Type): number => (name === 'cc' || name === 'powerKw' ? (type[name] ?? 0) : 0);
    sections.set(`approvals.${name}`, Uint16Array.from(types, valueOf));
  }
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  sections.set('strings.bytes', Uint8Array.from(bytes.flatMap((text) => [...text])));
  sections.set(
    'strings.lengths',
    Uint8Array.from(bytes, ({ length }) => length),
  );
  const container = new Container(writeContainer({}, sections));
  const tables = new ApprovalTables(container, new Strings(container));
  return new ApprovalJoin(tables, (body) => BODY_STYLES[body] ?? '');
}

const codes = new VinCodes();
let ledger = new Ledger();

beforeEach(() => {
  ledger = new Ledger();
});

/** Claims what the masks settle of a VIN. */
function settle(masks: Masks, vin: string): Ledger['known'] {
  codes.read(vin);
  const join = joinOf(masks);
  join.fill(ledger, join.find(codes));
  return ledger.known;
}

const VIN = 'VF3LBYHYPGS123456';

describe('type approvals', () => {
  test('tell make, model and what all types of the mask agree on', () => {
    const types = [
      { model: '308', fuel: 'Diesel', cc: 1560, powerKw: 88 },
      { model: '308', fuel: 'Diesel', cc: 1560, powerKw: 73 },
    ];
    expect(settle({ 'VF3LBYHYP........': types }, VIN)).toMatchObject({
      make: MAKE,
      model: '308',
      fuelType: 'Diesel',
      displacementCc: 1560,
      powerKw: 0,
    });
  });

  test('tell nothing where the types are of two models, or the mask fixes few positions', () => {
    const two = [{ model: '308' }, { model: '3008' }];
    expect(settle({ 'VF3LBYHYP........': two }, VIN)).toMatchObject({ make: '', model: '' });
    expect(settle({ 'VF3LB............': [{ model: '308' }] }, VIN).model).toBe('');
  });

  test('leave a field open that one type does not say', () => {
    const types = [{ model: '308', fuel: 'Diesel' }, { model: '308' }];
    expect(settle({ 'VF3LBYHYP........': types }, VIN)).toMatchObject({ model: '308', fuelType: '' });
  });

  test('count only the types that agree with the VIN', () => {
    ledger.claim(SOURCE.layout, F.make, MAKE, BY.layout);
    ledger.claim(SOURCE.layout, F.model, '308', BY.layout);
    ledger.claim(SOURCE.layout, F.fuelType, 'Gasoline', BY.layout);
    const types = [
      { model: '308', fuel: 'Diesel', powerKw: 88 },
      { model: '308', fuel: 'Gasoline', powerKw: 96 },
      { model: '3008', fuel: 'Gasoline', powerKw: 120 },
    ];
    expect(settle({ 'VF3LBYHYP........': types }, VIN)).toMatchObject({ fuelType: 'Gasoline', powerKw: 96 });
  });

  test('settle the body where one is left, and name fewer where the VIN names some', () => {
    const types = [{ model: '308', bodies: ['hatchback', 'wagon'] as const }];
    ledger.claim(SOURCE.layout, F.possibleBodies, ['sedan', 'wagon'], BY.layout);
    const known = settle({ 'VF3LBYHYP........': types }, VIN);
    expect(known).toMatchObject({ body: 'wagon', bodyLabel: 'wagon', possibleBodies: [] });
  });

  test('find the mask of the VIN among others, and none for a VIN of another maker', () => {
    const masks = {
      'VF3LAYHYP........': [{ model: '208' }],
      'VF3LBYHYP........': [{ model: '308' }],
      'VF3LCYHYP........': [{ model: '508' }],
    };
    expect(settle(masks, VIN).model).toBe('308');
    ledger.clear();
    expect(settle(masks, 'VF7LBYHYPGS123456').model).toBe('');
  });
});
