import type { ComponentChildren } from 'preact';

import { assetUrl } from '../../kernel/ui/assets.ts';
import { FormToken } from '../../kernel/ui/fields.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';

interface DecodeFormProps {
  action: string;
  /** The content of the box. */
  vin: string;
  /** The content below the box. */
  hint: ComponentChildren;
  /** The outcome of the last try if it was not a report. */
  fault?: ComponentChildren;
}

/** The part that each of the 17 positions belongs to. */
const SLOTS = [
  ...Array.from({ length: 3 }, () => 'wmi'),
  ...Array.from({ length: 5 }, () => 'vds'),
  'check',
  'year',
  'plant',
  ...Array.from({ length: 6 }, () => 'serial'),
];

/** The anchor of the answer: the browser goes there without a script, too. */
const ANSWER = '#answer';

/** The box for one VIN; its answer goes into `#answer`. */
export function DecodeForm({ action, vin, hint, fault }: DecodeFormProps) {
  return (
    <PostForm
      id="decode-form"
      class="decode"
      action={`${action}${ANSWER}`}
      hx-post={action}
      hx-target={ANSWER}
      hx-swap="innerHTML"
      data-wait="decoding"
    >
      <FormToken />
      <label for="vin-box">VIN</label>
      <div class="stamp" data-plate>
        <input
          id="vin-box"
          name="vin"
          class="vin-input"
          value={vin}
          maxLength={2048}
          required
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          aria-describedby="vin-fault vin-help"
          placeholder="17 characters"
        />
        <div class="slots" aria-hidden="true">
          {SLOTS.map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a position is what a slot is known by
            <b key={index} class={part} />
          ))}
        </div>
      </div>
      <div id="vin-reading" class="reading" role="status">
        <span class="soft">Find it under the windshield, in the door frame, or in your registration.</span>
      </div>
      <DecodeFault>{fault}</DecodeFault>
      <div class="decode-row">
        <button class="first">Decode</button>
        <CodeScanner />
        <span id="decoding" class="wait hint" role="status" />
      </div>
      <p id="vin-help" class="hint">
        {hint}
      </p>
    </PostForm>
  );
}

/** Shows the fault of a try, under its field. `isPart`: it replaces the earlier one. */
export function DecodeFault({ children, isPart = false }: { children?: ComponentChildren; isPart?: boolean }) {
  return (
    <div id="vin-fault" role="alert" hx-swap-oob={isPart ? 'true' : undefined}>
      {children}
    </div>
  );
}

/** Reads the VIN from a bar code instead. Shown by its script, which is all that can. */
function CodeScanner() {
  return (
    <div
      class="scanner"
      data-scan="vin-box"
      data-script={assetUrl('scan.js')}
      data-reader={assetUrl('zxing.js')}
      data-wasm={assetUrl('zxing.wasm')}
      hidden
    >
      <div class="tools">
        <button type="button" data-scan-camera>
          Use the camera
        </button>
        <button type="button" data-scan-picture>
          Use a photo
        </button>
        <input type="file" accept="image/*" aria-label="Picture of a bar code" hidden />
      </div>
      <p class="hint" role="status" data-scan-status />
      <div data-scan-view hidden>
        <video muted playsinline aria-label="Camera picture" />
        <button type="button" class="small" data-scan-stop>
          Stop the camera
        </button>
      </div>
    </div>
  );
}
