import type { ComponentChildren } from 'preact';

import { assetUrl } from '../../kernel/ui/assets.ts';
import { FormToken } from '../../kernel/ui/form-token.tsx';

interface DecodeFormProps {
  action: string;
  /** What the box holds. */
  vin: string;
  /** What is below the box. */
  hint: ComponentChildren;
}

/** The box for one VIN; its answer goes into `#answer`. */
export function DecodeForm({ action, vin, hint }: DecodeFormProps) {
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
        <button class="first">Decode</button>
      </div>
      <p id="vin-help" class="hint">
        {hint}
        <span id="decoding" class="wait" role="status" />
      </p>
      <CodeScanner />
    </form>
  );
}

/** Reads the VIN from a bar code instead. Shown by its script, which is all that can. */
function CodeScanner() {
  return (
    <div
      class="scanner"
      data-scan="vin-box"
      data-reader={assetUrl('zxing.js')}
      data-wasm={assetUrl('zxing.wasm')}
      hidden
    >
      <div class="tools">
        <button type="button" class="small" data-scan-camera>
          Scan the bar code
        </button>
        <button type="button" class="small" data-scan-picture>
          Read a picture
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
