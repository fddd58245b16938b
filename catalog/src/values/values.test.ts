import { BODY_STYLES } from '@marque/decoder';
import type Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import { staysCapital } from './casing.ts';
import {
  bodyClass,
  driveType,
  engineConfiguration,
  fuelType,
  makeName,
  modelName,
  plantCity,
  plantCountry,
  plantState,
  transmission,
  trimName,
  vehicleType,
} from './index.ts';
import { anyCharacter } from '../testing/any-character.ts';

let vpic: Database.Database;

beforeAll(() => {
  vpic = openNpmPackage();
});

afterAll(() => {
  vpic.close();
});

function strings(sql: string): string[] {
  return vpic.prepare<[], string>(sql).pluck().all();
}

function names(table: string): string[] {
  return strings(`select Name from ${table} order by Id`);
}

function valuesOf(element: number): string[] {
  return strings(`select distinct AttributeId from Pattern where ElementId = ${element}`);
}

function models(): { make: string; model: string }[] {
  return vpic
    .prepare<[], { make: string; model: string }>(
      `select Make.Name make, Model.Name model from Make_Model
       join Make on Make.Id = MakeId join Model on Model.Id = ModelId`,
    )
    .all();
}

/** Returns words in capitals of more than four letters that neither a table lists nor the unsayable excuse. */
function shouted(text: string): string[] {
  return (text.match(/(?<![\p{L}\d])\p{Lu}{5,}(?![\p{L}\d])/gu) ?? []).filter((word) => !staysCapital(word, 4));
}

describe('every string of vPIC has a value or a stated lack of one', () => {
  test('body classes', () => {
    const classes = names('BodyStyle').map((name) => bodyClass(name));
    expect(classes).not.toContain(undefined);
    expect(classes.filter((entry) => entry && !BODY_STYLES.includes(entry.body))).toEqual([]);
    expect(classes.map((entry) => entry?.body)).not.toContain('unknown');
  });

  test('fuels', () => {
    expect(names('FuelType').filter((name) => fuelType(name) === undefined)).toEqual([]);
  });

  test('electrification levels determine the fuel of a hybrid', () => {
    expect(Object.fromEntries(names('ElectrificationLevel').map((level) => [level, fuelType('Gasoline', '', level)])))
      .toMatchInlineSnapshot(`
        {
          "BEV (Battery Electric Vehicle)": "Electric",
          "FCEV (Fuel Cell Electric Vehicle)": "Hydrogen",
          "HEV (Hybrid Electric Vehicle) - Level Unknown": "Hybrid",
          "Mild HEV (Hybrid Electric Vehicle)": "Gasoline",
          "PHEV (Plug-in Hybrid Electric Vehicle)": "Plug-in hybrid",
          "Strong HEV (Hybrid Electric Vehicle)": "Hybrid",
        }
      `);
  });

  test('drive types', () => {
    expect(names('DriveType').filter((name) => driveType(name) === undefined)).toEqual(['Other', 'Glider', '2WD/4WD']);
  });

  test('transmissions', () => {
    expect(names('Transmission').filter((name) => transmission(name) === undefined)).toEqual([
      'Motorcycle - Shaft Drive',
      'Motorcycle - Chain Drive',
      'Motorcycle - Shaft Drive Off-Road',
      'Motorcycle - Chain Drive Off-Road',
    ]);
  });

  test('vehicle types and engine configurations', () => {
    expect(names('VehicleType').filter((name) => vehicleType(name) === undefined)).toEqual([]);
    expect(names('EngineConfiguration').filter((name) => engineConfiguration(name) === undefined)).toEqual([]);
  });

  test('plant countries', () => {
    expect(names('Country').filter((name) => plantCountry(name) === undefined)).toEqual([]);
  });

  test('plant cities and states name a place in people’s letters', () => {
    const places = [...valuesOf(31).map(plantCity), ...valuesOf(77).map(plantState)];
    const odd = places.filter((place) => place !== undefined && (!isTidy(place) || /#|\p{Lu}{3}/u.test(place)));
    expect(odd).toEqual([]);
    expect(places.filter((place) => place === undefined).length).toBeLessThan(25);
  });
});

function isTidy(text: string): boolean {
  return text !== '' && text === text.trim() && !text.includes('  ') && !text.includes(' ,');
}

/** Returns the inputs whose name breaks a rule of spelling, each with its name. */
function misspelt(entries: readonly { from: string; name: string | undefined; again: string | undefined }[]): string[] {
  return entries
    .filter(({ name, again }) => name !== undefined && (!isTidy(name) || shouted(name).length > 0 || again !== name))
    .map(({ from, name, again }) => `${from} -> ${name} -> ${again}`);
}

describe('names of vPIC', () => {
  test('makes are tidy, not shouted, without a legal form, and stay as they are when cleaned again', () => {
    const entries = names('Make').map((from) => ({ from, name: makeName(from), again: makeName(makeName(from)) }));
    expect(misspelt(entries)).toEqual([]);
    expect(entries.filter(({ name }) => /[\s,](?:Inc|LLC|Ltd|Corp|GmbH)\.?$/i.test(name))).toEqual([]);
  });

  test('models are tidy, not shouted, and stay as they are when cleaned again', () => {
    const entries = models().map(({ make, model }) => {
      const clean = modelName({ make, model });
      const again = clean.model && modelName({ make: clean.make ?? make, model: clean.model }).model;
      return { from: `${make} ${model}`, name: clean.model, again };
    });
    expect(misspelt(entries)).toEqual([]);
  });

  test('a kind of motorcycle is no model', () => {
    const kinds = ['Scooter', 'On Road Motorcycle', 'Off-Road', '16" Flat Bed Scooter', 'Step Over Frame', 'Dirt Bike'];
    expect(kinds.filter((model) => modelName({ make: 'KYMCO', model }).model !== undefined)).toEqual([]);
    expect(modelName({ make: 'KYMCO', model: 'Super 8' }).model).toBe('Super 8');
  });

  test('trims are tidy, not shouted, and stay as they are when cleaned again', () => {
    const entries = valuesOf(38).map((trim) => {
      const name = trimName({ trim });
      return { from: trim, name, again: name && trimName({ trim: name }) };
    });
    expect(misspelt(entries)).toEqual([]);
  });
});

test('no text makes a cleaning throw or leave blanks at its ends', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.constantFrom('BMW', 'Lexus', 'Any Co.'),
      (text, make) => {
        const made = [
          makeName(text),
          modelName({ make, model: text, series: text, trim: text }).model,
          plantCity(text),
        ];
        bodyClass(text);
        fuelType(text, text, text);
        driveType(text);
        transmission(text, 6);
        for (const value of [...made, plantState(text)]) expect(value ?? '').toBe((value ?? '').trim());
      },
    ),
  );
});
