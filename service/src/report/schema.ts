import { BODY_STYLES, REPORT_ENTRIES, type ReportField } from '@marque/decoder';
import { type TProperties, type TSchema, Type } from 'typebox';

import { oneOf, optionalText } from '../kernel/http/schemas.ts';

/** The objects inside a report, by their name. */
const OBJECTS: Readonly<Record<string, string>> = {
  specs: 'Technical data. Only what the VIN settles.',
  technicalSpecs: 'Dimensions, weights, and volumes of the model or variant. Only what is known.',
};

/** The vehicle report at full depth, from the decoder's table of fields. Answers contain nothing else. */
export const VehicleReport = Type.Object(propertiesOf(REPORT_ENTRIES), {
  $id: 'VehicleReport',
  title: 'VehicleReport',
  description:
    'What the VIN says about the vehicle. Fields without a value are left out. Without manufacturer, the VIN was only parsed: its segments, validFormat, region, and bodyStyleNormalized, which is unknown.',
  additionalProperties: false,
});

function propertiesOf(entries: typeof REPORT_ENTRIES): TProperties {
  const properties: TProperties = {};
  const inner: Record<string, TProperties> = {};
  for (const [path, field] of entries) {
    const [object, name] = path.split('.');
    if (name === undefined) properties[path] = schemaOf(path, field);
    else if (object !== undefined) (inner[object] ??= {})[name] = schemaOf(path, field);
  }
  for (const [object, fields] of Object.entries(inner)) {
    properties[object] = Type.Optional(
      Type.Object(fields, { description: OBJECTS[object] ?? '', additionalProperties: false }),
    );
  }
  return properties;
}

function schemaOf(path: string, { kind, description, example }: ReportField): TSchema {
  if (path === 'vin') return Type.String({ description, examples: [example] });
  if (path === 'bodyStyleNormalized') return Type.Optional(oneOf(BODY_STYLES, description, String(example)));
  switch (kind) {
    case 'text':
      return optionalText(description, String(example));
    case 'number':
      return Type.Optional(Type.Number({ description, examples: [example] }));
    case 'boolean':
      return Type.Optional(Type.Boolean({ description }));
    case 'list':
      return Type.Optional(Type.Array(Type.String(), { description }));
    default:
      return kind satisfies never;
  }
}
