import { isListField, isNumberField } from '../fields.ts';
import type { Candidate, FieldValue, Scope } from '../index.ts';
import { textField } from '../../kernel/ui/forms.ts';

/** A field of a correction as the form holds it. */
export interface FormField {
  path: string;
  isUsed: boolean;
  /** Empty: the field is left out of answers. */
  text: string;
}

/** The submitted form, to be validated by `corrections/`. */
export function candidateOf(form: URLSearchParams, vin: string): Candidate {
  const fields: Record<string, FieldValue | null> = {};
  for (const { path, isUsed, text } of formFields(form)) {
    if (isUsed) fields[path] = valueOf(path, text);
  }
  return { scope: scopeOf(form, vin), fields };
}

/** The fields that a form holds, the free one last if it names a field. */
export function formFields(form: URLSearchParams): FormField[] {
  const named = [...form.keys()]
    .filter((name) => name.startsWith('value:'))
    .map((name) => name.slice('value:'.length))
    .map((path) => ({ path, isUsed: form.has(`use:${path}`), text: textField(form, `value:${path}`, 400) }));
  const other = textField(form, 'other-path', 60);
  const isNew = other !== '' && !named.some(({ path }) => path === other);
  return isNew ? [...named, { path: other, isUsed: true, text: textField(form, 'other-value', 400) }] : named;
}

/** A value as the form shows it. */
export function fieldText(value: FieldValue | null | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function valueOf(path: string, text: string): FieldValue | null {
  if (text === '') return null;
  if (isNumberField(path)) return Number(text);
  if (!isListField(path)) return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function scopeOf(form: URLSearchParams, vin: string): Scope {
  if (form.get('scope') !== 'pattern') return { kind: 'vin', vin };
  return {
    kind: 'pattern',
    wmi: textField(form, 'wmi', 6).toUpperCase(),
    pattern: textField(form, 'pattern', 80).toUpperCase(),
    years: [yearOf(form, 'from'), yearOf(form, 'to')],
  };
}

function yearOf(form: URLSearchParams, name: string): number | null {
  const text = textField(form, name, 8);
  // Anything but a number is rejected by the rules for candidates, with a message.
  return text === '' ? null : Number(text);
}
