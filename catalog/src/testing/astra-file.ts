/**
 * Makes files of the form of TG-Automobil.txt: tabs between 224 named and unnamed columns, no quotation, the letters of
 * Windows, lines that end in CR LF, and one field less in each record than in the header, which ends in a tab.
 */

/** Places of the columns that matter; the names in between are not known to matter. */
const PLACES: Readonly<Record<string, number>> = {
  Typengenehmigungsnummer: 0,
  'Typengenehmigung erteilt': 1,
  '01 Fahrzeugart': 7,
  '03 Fahrzeugklasse': 10,
  '04 Marke': 11,
  '04 Typ': 12,
  '05 Typ; Variante/Version': 13,
  '06 Vorziffer': 14,
  '07 Karosserieform Code': 15,
  '07 Karosserieform': 16,
  '09 EU-Gesamtgenehmigung': 18,
  '12 Fahrgestellnummer': 22,
  '17 Achsantrieb': 26,
  '18 Getriebe 1': 27,
  '18 Getriebe 2': 29,
  '18 Getriebe 3': 31,
  '18 Getriebe 4': 33,
  '25 Motor Marke': 60,
  '25 Motor Typ': 61,
  '26 Bauart Treibstoff': 63,
  '27 Hubraum': 64,
  '28 Leistung kW': 65,
  '40 Länge von': 120,
  '40 Länge bis': 121,
  '41 Breite von': 122,
  '41 Breite bis': 123,
  '42 Höhe von': 124,
  '42 Höhe bis': 125,
  '44 Abstand Achse 1-2 von': 128,
  '44 Abstand Achse 1-2 bis': 129,
  '52 Leergewicht von': 145,
  '52 Leergewicht bis': 146,
  '53 Garantiegewicht von': 147,
  '53 Garantiegewicht bis': 148,
  'Bemerkungen Z1': 199,
};

const COLUMNS = 224;

export type AstraRecord = Readonly<Partial<Record<string, string>>>;

/** Returns the header's line, with its end. */
export function astraHeader(without: readonly string[] = []): Buffer {
  const names = Array.from({ length: COLUMNS }, (_, index) => (index === COLUMNS - 1 ? '' : `99 Feld ${index}`));
  for (const [name, place] of Object.entries(PLACES)) if (!without.includes(name)) names[place] = name;
  // Some columns have no name, and one name occurs twice.
  names[5] = '';
  names[150] = '04 Typ';
  return bytesOf(names.join('\t'));
}

/** Returns a record's line, with its end. */
export function astraLine(record: AstraRecord): Buffer {
  const fields = Array.from({ length: COLUMNS - 1 }, () => '');
  for (const [name, value] of Object.entries(record)) fields[PLACES[name] ?? -1] = value ?? '';
  return bytesOf(fields.join('\t'));
}

/** Returns a whole file. */
export function astraFile(records: readonly AstraRecord[], without: readonly string[] = []): Buffer {
  return Buffer.concat([astraHeader(without), ...records.map(astraLine)]);
}

/** Encodes a line in windows-1252: the letters of Latin-1, and the caron of Škoda, which Latin-1 lacks. */
function bytesOf(line: string): Buffer {
  return Buffer.from(`${line}\r\n`.replaceAll('Š', '\u008a'), 'latin1');
}
