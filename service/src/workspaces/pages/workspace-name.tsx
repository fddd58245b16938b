import { Field } from '../../kernel/ui/fields.tsx';
import type { Founded } from '../founding.ts';
import { isAllowedSlug } from '../membership.ts';

const KEPT_BACK = 'This name is reserved. Choose another one.';

/** What is wrong with the form of a workspace's name; undefined: nothing. Whether it is taken only founding tells. */
export function slugFault(slug: string): string | undefined {
  if (slug === '') return 'Choose a name for your workspace.';
  if (!/^[a-z0-9-]*$/.test(slug)) return 'Use only lowercase letters, digits, and hyphens.';
  if (slug.length < 3 || slug.length > 40) return 'Use 3 to 40 characters.';
  if (slug.startsWith('-') || slug.endsWith('-') || slug.includes('--'))
    return 'Use single hyphens, and only between words.';
  return isAllowedSlug(slug) ? undefined : KEPT_BACK;
}

const FOUNDING_FAULTS = {
  'bad-slug': KEPT_BACK,
  'slug-taken': 'This name is taken. Choose another one.',
  'too-many': 'You belong to ten workspaces, or have created ten this month. Leave one, or wait until next month.',
  'still-closing': 'The workspace that you closed is still being processed. Try again in a few seconds.',
};

/** Why a workspace was not founded. */
export function foundingFault(refused: Exclude<Founded, { kind: 'created' }>): string {
  if (refused.kind !== 'has-free-one') return FOUNDING_FAULTS[refused.kind];
  return `You already have a workspace on the Free plan: ${refused.slug}. Upgrade or close it before you create another.`;
}

/** The field for a workspace's name. */
export function SlugField({ value, fault }: { value: string; fault?: string | undefined }) {
  return (
    <Field
      label="Workspace"
      name="slug"
      value={value}
      isMono
      maxLength={40}
      hint="A short name for your company or project, such as acme-motors. It becomes part of addresses and stays; the name that members see can be changed later."
      fault={fault}
    />
  );
}
