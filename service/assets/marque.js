// The pages' own script: what makes them handier, nothing that they need. Each part begins where the markup asks for it.
'use strict';

/** Buttons that copy the text of another element. */
function showCopyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy]')) {
    if (navigator.clipboard) button.hidden = false;
  }
}

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (button) void copyFor(button);
});

async function copyFor(button) {
  const source = document.getElementById(button.dataset.copy);
  if (!source) return;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => (button.textContent = label), 2000);
}

function stopSignal() {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}

/** Reads a VIN's bar code with the camera, where the browser can. */
async function startScan(button) {
  const box = document.getElementById(button.dataset.scan);
  const scanner = document.querySelector('[data-scanner]');
  const status = scanner.querySelector('[data-scan-status]');
  const video = scanner.querySelector('video');
  scanner.hidden = false;
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  } catch {
    status.textContent = 'The camera cannot be used. Allow it for this page, or type the VIN.';
    return;
  }
  const detector = new BarcodeDetector({ formats: ['code_39', 'code_128', 'data_matrix', 'qr_code'] });
  video.srcObject = stream;
  await video.play();
  const { signal, stop: end } = stopSignal();
  const stop = () => {
    end();
    for (const track of stream.getTracks()) track.stop();
    scanner.hidden = true;
    button.focus();
  };
  scanner.querySelector('[data-scan-stop]').addEventListener('click', stop, { once: true });
  while (!signal.aborted) {
    const codes = await detector.detect(video).catch(() => []);
    const vin = codes.map(({ rawValue }) => /[A-HJ-NPR-Z0-9]{17}/i.exec(rawValue)?.[0]).find(Boolean);
    if (vin) {
      box.value = vin.toUpperCase();
      stop();
      box.form.requestSubmit();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

for (const button of document.querySelectorAll('[data-scan]')) {
  if ('BarcodeDetector' in window && navigator.mediaDevices) {
    button.hidden = false;
    button.addEventListener('click', () => void startScan(button));
  }
}

/** Keys that press what carries them in `data-key`, unless the reader is writing. */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName))
    return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  target.focus();
  target.click();
});

showCopyButtons(document);
document.addEventListener('htmx:after:swap', () => showCopyButtons(document));
