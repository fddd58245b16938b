import type { ComponentChildren } from 'preact';

import { FormToken } from '../../platform/ui/form-token.tsx';

interface DecodeFormProps {
  action: string;
  /** What the box holds. */
  vin: string;
  /** What stands below the box. */
  hint: ComponentChildren;
  /** Stands between box and button. */
  beside?: ComponentChildren;
  /** Stands below the hint. */
  children?: ComponentChildren;
}

/** The box for one VIN; its answer goes into `#answer`. */
export function DecodeForm({ action, vin, hint, beside, children }: DecodeFormProps) {
  return (
    <form
      class="decode"
      method="post"
      action={action}
      hx-post={action}
      hx-target="#answer"
      hx-swap="innerHTML"
      data-wait="decoding"
    >
      <FormToken />
      <label for="vin-box">VIN</label>
      <div class="decode-row">
        <input
          id="vin-box"
          name="vin"
          class="vin-input"
          value={vin}
          maxLength={64}
          required
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          aria-describedby="vin-help"
          placeholder="17 characters"
        />
        {beside}
        <button class="first">Decode</button>
      </div>
      <p id="vin-help" class="hint">
        {hint}
        <span id="decoding" class="wait" role="status" />
      </p>
      {children}
    </form>
  );
}
