import type { ComponentChildren } from 'preact';
import { v7, validate } from 'uuid';
import { PostForm } from './post-form.tsx';

/** RFC 5321, 4.5.3.1.3: a path of 256 characters, with its brackets. */
const LONGEST_EMAIL = 254;

/** A labeled input with its hint and its error. */
export function Field(props: {
  label: string;
  name: string;
  type?: 'url' | 'email' | 'password' | 'date' | 'search';
  value?: string | undefined;
  hint?: string;
  fault?: string | undefined;
  autocomplete?: string;
  maxLength?: number;
  minLength?: number;
  isOptional?: boolean;
  /** True if the form only filters: none of its fields is required, and marking each as optional would be noise. */
  isFilter?: boolean;
  isMono?: boolean;
  inputMode?: 'numeric';
  /** Lines of room for a longer text. */
  rows?: number;
  /** True if the page starts with the focus here. */
  isFocused?: boolean;
  id?: string;
}) {
  const { isFilter = false, isOptional = isFilter } = props;
  const id = props.id ?? `${isFilter ? 'filter' : 'field'}-${props.name.replaceAll(/[:.]/g, '-')}`;
  const described = [props.hint === undefined ? '' : `${id}-hint`, props.fault === undefined ? '' : `${id}-fault`];
  const attributes: Record<string, unknown> = {
    id,
    name: props.name,
    ...(props.rows === undefined && { type: props.type ?? (isFilter ? 'search' : 'text') }),
    value: props.value,
    class: props.isMono === true ? 'mono' : undefined,
    maxLength: props.maxLength,
    minLength: props.minLength,
    required: !isOptional,
    autocomplete: props.autocomplete ?? 'off',
    inputMode: props.inputMode,
    // Without a script, too, a form that comes back begins where something is wrong.
    autofocus: props.isFocused === true || props.fault !== undefined ? true : undefined,
    'aria-describedby': described.join(' ').trim() || undefined,
    'aria-invalid': props.fault === undefined ? undefined : 'true',
  };
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {isOptional && !isFilter ? <small> (optional)</small> : null}
      </label>
      {props.rows === undefined ? <input {...attributes} /> : <textarea {...attributes} rows={props.rows} />}
      {props.hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <Fault id={`${id}-fault`} text={props.fault} />
    </div>
  );
}

/** The reason of a refusal, under the field that was refused; undefined: none. */
export function Fault({ id, text }: { id: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p class="fault" id={id} role="alert">
      {text}
    </p>
  );
}

/** The field for an e-mail address. */
export function EmailField(props: Partial<Parameters<typeof Field>[0]>) {
  return (
    <Field label="E-mail address" name="email" type="email" autocomplete="email" maxLength={LONGEST_EMAIL} {...props} />
  );
}

/** A choice of one from several. */
export function Select(props: {
  label: string;
  name: string;
  options: readonly { value: string; text: string }[];
  value?: string | undefined;
}) {
  const id = `field-${props.name}`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        {props.options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

type Tone = 'good' | 'bad' | 'warn';

/** A message about something that was just done or that needs attention. */
export function Notice({ tone, children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** A notice of one paragraph; nothing if there is no text. */
export function NoticeText({ tone, text }: { tone: Tone; text: ComponentChildren }) {
  if (text === undefined) return null;
  return (
    <Notice tone={tone}>
      <p>{text}</p>
    </Notice>
  );
}

interface PostButtonProps {
  /** The address that it posts to. */
  action: string;
  label: ComponentChildren;
  /** Name and value that it sends. */
  sends?: readonly [name: string, value: string];
  look?: 'first' | 'small';
  /** The act and its object, if the label alone does not name them. */
  says?: string;
}

/** A form that is one button. */
export function PostButton({ action, label, sends, look, says }: PostButtonProps) {
  return (
    <PostForm action={action}>
      <button class={look} name={sends?.[0]} value={sends?.[1]} aria-label={says}>
        {label}
      </button>
    </PostForm>
  );
}

/**
 * Makes a form single-use: the token becomes the id of what the form creates, so that submitting it again, as a browser
 * does when the answer is reloaded, creates nothing.
 */
export function FormToken() {
  return <input type="hidden" name="token" value={v7()} />;
}

/** Returns the token of a form; undefined if it has none. */
export function tokenOf(form: URLSearchParams): string | undefined {
  const token = form.get('token') ?? '';
  return validate(token) ? token.toLowerCase() : undefined;
}
