import type { ComponentChildren } from 'preact';
import { PostForm } from './post-form.tsx';

interface ConfirmProps {
  /** Unique on the page. */
  id: string;
  /** The label of the button that asks. */
  label: string;
  /** The act and its object, such as "Revoke website"; also the text of the button that acts. */
  act: string;
  /** The consequences of the act. */
  says: string;
  /** The address that the form is posted to. */
  action: string;
  /** Name and value that the button sends. */
  sends?: readonly [name: string, value: string];
  /** True if nothing is lost by it. */
  isHarmless?: boolean;
  isSmall?: boolean;
  /** Further fields of the form. */
  children?: ComponentChildren;
}

/**
 * Returns the attributes that make a button open a dialog that keeps the focus, or close it, without a script: a
 * command. Browsers that do not know commands yet (before 2026) show the dialog as a popover.
 */
export const opens = (id: string) => ({
  type: 'button' as const,
  command: 'show-modal' as const,
  commandfor: id,
  popovertarget: id,
});

/** Closes the dialog again. */
export const closes = (id: string) => ({
  type: 'button' as const,
  command: 'close' as const,
  commandfor: id,
  popovertarget: id,
  popovertargetaction: 'hide' as const,
});

/** A dialog that `opens` opens; a click outside closes it, like Escape. */
export function Dialog({ id, says, children }: { id: string; says?: string; children: ComponentChildren }) {
  return (
    <dialog
      id={id}
      popover="auto"
      closedby="any"
      class="confirm"
      aria-labelledby={`${id}-title`}
      aria-describedby={says}
    >
      {children}
    </dialog>
  );
}

/** A button that asks before it acts, in a dialog that describes the consequences. */
export function Confirm({ id, label, act, says, action, sends, isHarmless, isSmall, children }: ConfirmProps) {
  const tone = isHarmless === true ? 'first' : 'danger';
  return (
    <>
      <button
        {...opens(id)}
        class={isSmall === true ? 'small' : undefined}
        aria-haspopup="dialog"
        aria-label={act.includes(label) ? act : undefined}
      >
        {label}
      </button>
      <Dialog id={id} says={`${id}-says`}>
        <PostForm class="stack" action={action}>
          <h2 id={`${id}-title`}>{act}</h2>
          <p id={`${id}-says`}>{says}</p>
          {children}
          <div class="acts">
            <button {...closes(id)}>Cancel</button>
            <button class={tone} name={sends?.[0]} value={sends?.[1]}>
              {act}
            </button>
          </div>
        </PostForm>
      </Dialog>
    </>
  );
}
