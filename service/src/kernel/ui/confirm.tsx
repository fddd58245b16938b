import type { ComponentChildren } from 'preact';

interface ConfirmProps {
  /** Unique on the page. */
  id: string;
  /** Of the button that asks. */
  label: string;
  /** What the act does to what, such as "Revoke website"; the button that acts says it, too. */
  act: string;
  /** What the act destroys or changes. */
  says: string;
  /** Where the form is posted to. */
  action: string;
  /** Name and value that the button sends. */
  sends?: readonly [name: string, value: string];
  /** Whether nothing is lost by it. */
  isHarmless?: boolean;
  isSmall?: boolean;
  /** Further fields of the form. */
  children?: ComponentChildren;
}

/** A button that asks before it acts, in a dialog that says what will happen. The browser opens and closes it, without a script. */
export function Confirm({ id, label, act, says, action, sends, isHarmless, isSmall, children }: ConfirmProps) {
  const tone = isHarmless === true ? 'first' : 'danger';
  return (
    <>
      <button
        type="button"
        class={isSmall === true ? 'small' : undefined}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-label={act.includes(label) ? act : undefined}
      >
        {label}
      </button>
      <dialog id={id} popover="auto" class="confirm" aria-labelledby={`${id}-title`} aria-describedby={`${id}-says`}>
        <form class="stack" method="post" action={action}>
          <h2 id={`${id}-title`}>{act}</h2>
          <p id={`${id}-says`}>{says}</p>
          {children}
          <div class="acts">
            <button type="button" popovertarget={id} popovertargetaction="hide">
              Cancel
            </button>
            <button class={tone} name={sends?.[0]} value={sends?.[1]}>
              {act}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
