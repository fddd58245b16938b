/** The specification's fields of a report, by their type. */
const TOP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'vin wmi vds vis checkDigit yearCode plantCode serialNumber manufacturer model modelCode generation bodyStyle ' +
      'bodyStyleNormalized modelYear trim vehicleType plant region'
    )
      .split(' ')
      .map((name) => [name, 'string']),
  ),
  validFormat: 'boolean',
  possibleBodyStyles: 'list',
  specs: 'object',
  technicalSpecs: 'object',
};

const SPECS: Readonly<Record<string, string>> = {
  engine: 'string',
  fuelType: 'string',
  transmission: 'string',
  driveType: 'string',
  powerKw: 'number',
  displacementCc: 'number',
  batteryCapacityKwh: 'number',
  emissionsStandard: 'string',
  market: 'string',
  plantCountry: 'string',
  plantCity: 'string',
};

const TECHNICAL = Object.fromEntries(
  (
    'lengthMm widthMm heightMm wheelbaseMm curbWeightKg grossWeightKg groundClearanceMm cargoVolumeLiters ' +
    'cargoVolumeMaxLiters'
  )
    .split(' ')
    .map((name) => [name, 'number']),
);

/** The fields that anybody sees. */
export const BASIC_NINE = 'vin wmi vds manufacturer model bodyStyle bodyStyleNormalized modelYear region'.split(' ');

/** The fields that a VIN gives without its vehicle. */
const PARSING =
  'vin wmi vds vis checkDigit yearCode plantCode serialNumber validFormat region bodyStyleNormalized'.split(' ');

const STYLES = 'sedan wagon hatchback coupe cabrio suv van pickup truck bus motorcycle trailer unknown other'.split(
  ' ',
);

/** Returns the faults of a report by the letter of the specification, for any vehicle; empty: none. */
export function faultsInReport(report: object): string[] {
  const fields: Record<string, unknown> = { ...report };
  const [vin, wmi, vds, label, style] = ['vin', 'wmi', 'vds', 'bodyStyle', 'bodyStyleNormalized'].map((name) =>
    typeof fields[name] === 'string' ? fields[name] : '',
  );
  const faults = faultsInFields(fields, TOP);
  for (const [name, within] of [['specs', SPECS] as const, ['technicalSpecs', TECHNICAL] as const]) {
    const group = fields[name];
    if (typeof group === 'object' && group !== null) faults.push(...faultsInFields({ ...group }, within));
  }
  if (`${wmi}${vds}` !== vin?.slice(0, 9)) faults.push('the segments are not of the VIN');
  if (!STYLES.includes(style ?? '')) faults.push(`"${style}" is no body style`);
  const isWrong =
    (style === 'unknown' && label !== '') ||
    (/wagon/i.test(label ?? '') && style !== 'wagon') ||
    (/convertible|cabrio/i.test(label ?? '') && style !== 'cabrio');
  if (isWrong) faults.push(`"${label}" is ${style}`);
  if (fields['manufacturer'] !== undefined) return faults;
  const told = Object.keys(fields).filter((name) => !PARSING.includes(name));
  if (told.length > 0 || style !== 'unknown') faults.push(`without a make it tells ${told.join(', ')}, ${style}`);
  return faults;
}

function faultsInFields(fields: Record<string, unknown>, types: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(fields);
  if (values.length === 0) return ['a group without a field'];
  return values.flatMap(([name, value]) => {
    const type = Array.isArray(value) ? 'list' : typeof value;
    if (types[name] !== type) return [`${name} is a ${type} and should be ${types[name] ?? 'absent'}`];
    const isEmpty = value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
    return isEmpty || value !== value ? [`${name} is ${JSON.stringify(value)}`] : [];
  });
}
