// Reads a VIN from a bar code, by camera or from a picture. The reader in WebAssembly is loaded when somebody asks for it.
'use strict';

const FORMATS = ['code_39', 'code_128', 'data_matrix', 'qr_code'];
/** Pixels of a picture's longer side: enough for a narrow bar of a code that fills a third of it. */
const LONGEST_SIDE = 2400;
const BETWEEN_FRAMES_MS = 150;

/** The VIN in a code's text, if there is one. Makers put an I before a VIN, importers a check character after it. */
function vinIn(text) {
  return /[A-HJ-NPR-Z0-9]{17}/.exec(text.toUpperCase())?.[0];
}

let loading;

/** The reader in WebAssembly, from this service. */
function loadReader({ reader, wasm }) {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = reader;
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('not loaded')));
    document.head.append(script);
  }).then(() => ZXingWASM.prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true }));
  // Asked again, it is loaded again.
  loading.catch(() => (loading = undefined));
  return loading;
}

/** Draws the picture of a camera or a file. */
function pixelsOf(source, width, height) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function textsIn(pixels) {
  const formats = ['Code39', 'Code128', 'DataMatrix', 'QRCode'];
  const codes = await ZXingWASM.readBarcodes(pixels, { formats, tryHarder: true, maxNumberOfSymbols: 8 });
  return codes.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** Returns the reader of codes in a camera's picture: the browser if it can, else WebAssembly. */
async function cameraReader(files) {
  const known = 'BarcodeDetector' in window ? await BarcodeDetector.getSupportedFormats().catch(() => []) : [];
  if (FORMATS.every((format) => known.includes(format))) {
    const detector = new BarcodeDetector({ formats: FORMATS });
    return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
  }
  await loadReader(files);
  return (video) => textsIn(pixelsOf(video, video.videoWidth, video.videoHeight));
}

/** The part of a decode form that reads codes. */
class Scanner {
  constructor(root) {
    this.root = root;
    this.box = document.getElementById(root.dataset.scan);
    this.status = root.querySelector('[data-scan-status]');
    this.video = root.querySelector('video');
    this.view = root.querySelector('[data-scan-view]');
    this.stream = undefined;
  }

  say(text) {
    this.status.textContent = text;
  }

  /** Fills the box. Only the button beside it decodes, and charges. */
  found(vin) {
    this.box.value = vin;
    this.box.dispatchEvent(new Event('input', { bubbles: true }));
    this.say(`The code holds ${vin}. Choose Decode to look it up.`);
    this.box.form.querySelector('button.first').focus();
  }

  stop() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = undefined;
    this.view.hidden = true;
  }

  async scan() {
    if (this.stream) return;
    this.say('Starting the camera.');
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1920 } },
      });
    } catch {
      this.say('The camera cannot be used. Allow it for this page, choose a picture, or type the VIN.');
      return;
    }
    const { stream } = this;
    try {
      this.view.hidden = false;
      this.video.srcObject = stream;
      const [read] = await Promise.all([cameraReader(this.root.dataset), this.video.play()]);
      this.say('Hold the bar code in front of the camera. It is on the door frame or behind the windshield.');
      await this.watch(read, stream);
    } catch {
      this.say('The code reader could not be started. Check your connection, then try again.');
      this.stop();
    }
  }

  async watch(read, stream) {
    while (this.stream === stream) {
      const vin = (await read(this.video).catch(() => [])).map(vinIn).find(Boolean);
      if (vin && this.stream === stream) {
        this.stop();
        this.found(vin);
      }
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_FRAMES_MS));
    }
  }

  async readPicture(file) {
    this.stop();
    this.say('Reading the picture.');
    let pixels;
    try {
      const picture = await createImageBitmap(file);
      pixels = pixelsOf(picture, picture.width, picture.height);
    } catch {
      this.say('This file is not a picture that the browser can open. Choose a JPEG or PNG file.');
      return;
    }
    try {
      await loadReader(this.root.dataset);
      const texts = await textsIn(pixels);
      const vin = texts.map(vinIn).find(Boolean);
      if (vin) this.found(vin);
      else if (texts.length > 0) this.say('The code in this picture does not hold a VIN. Type the VIN instead.');
      else this.say('No code was found in this picture. Choose a sharper one, or type the VIN.');
    } catch {
      this.say('The code reader could not be loaded. Check your connection, then try again.');
    }
  }
}

for (const root of document.querySelectorAll('[data-scan]')) {
  const scanner = new Scanner(root);
  const camera = root.querySelector('[data-scan-camera]');
  const input = root.querySelector('input[type="file"]');
  camera.addEventListener('click', () => void scanner.scan());
  root.querySelector('[data-scan-picture]').addEventListener('click', () => input.click());
  root.querySelector('[data-scan-stop]').addEventListener('click', () => {
    scanner.stop();
    scanner.say('');
    camera.focus();
  });
  input.addEventListener('change', () => {
    const [file] = input.files;
    // The same file can then be chosen again.
    if (file) void scanner.readPicture(file).finally(() => (input.value = ''));
  });
}
