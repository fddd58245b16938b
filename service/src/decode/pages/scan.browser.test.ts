import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';

import { Visitor } from '../../testing/browsing.ts';
import { signUp } from '../../people/testing/people.ts';
import { openSite } from '../../testing/site.ts';

const VIN = '1HGCM82633A004352';
const WRITER = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');

const { browser, service, origin } = await openSite();

beforeAll(async () => {
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(WRITER)).buffer } });
});

/** Returns a real code as a PNG picture. */
async function pictureOf(text: string, format: WriteInputBarcodeFormat): Promise<Buffer> {
  const { image, error } = await writeBarcode(text, { format, scale: 4, addQuietZones: true });
  if (image === null) throw new Error(error);
  return Buffer.from(await image.arrayBuffer());
}

async function choose(page: Page, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Use a photo' }).click(),
  ]);
  await chooser.setFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
}

const box = (page: Page) => page.getByLabel('VIN', { exact: true });

describe('a picture of a code fills the box, and only Decode charges', () => {
  test.each([
    ['Code 39', VIN, 'Code39'],
    ['Code 39 of an imported car, with a leading I', `I${VIN}`, 'Code39'],
    ['Code 128', VIN, 'Code128'],
    ['Data Matrix', VIN, 'DataMatrix'],
    ['QR code with more than the VIN', `VIN:${VIN};REG:ABC`, 'QRCode'],
  ] as const)('%s', async (_name, text, format) => {
    const picture = await pictureOf(text, format);
    await using visitor = await Visitor.come(browser, origin);
    const page = await visitor.go('/');
    const before = await service.charged();
    await choose(page, picture);
    await page.getByText(`The code holds ${VIN}.`).waitFor();
    expect(await box(page).inputValue()).toBe(VIN);
    expect(await page.locator(':focus').innerText()).toBe('Decode');
    expect(await service.charged()).toBe(before);
    expect(visitor.complaints).toEqual([]);
  });
});

test('a picture without a code, a code without a VIN, and another file each get their own message', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/');
  await choose(page, await pictureOf('HELLO', 'QRCode'));
  await page.getByText('does not hold a VIN').waitFor();
  await choose(page, await page.locator('h1').screenshot());
  await page.getByText('No code was found').waitFor();
  await choose(page, Buffer.from('no picture'));
  await page.getByText('not a picture that the browser can open').waitFor();
  expect(await box(page).inputValue()).toBe('');
});

test('the reader is loaded when somebody asks for it, and once', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const loaded: string[] = [];
  visitor.page.on('request', (request) => {
    if (request.url().includes('zxing')) loaded.push(new URL(request.url()).pathname.replace(/\.[\w-]{10}\./, '.'));
  });
  const page = await visitor.go('/');
  await page.getByRole('button', { name: 'Use a photo' }).waitFor();
  expect(loaded).toEqual([]);
  const picture = await pictureOf(VIN, 'DataMatrix');
  for (const round of [1, 2]) {
    await box(page).fill(`round ${round}`);
    await choose(page, picture);
    await expect.poll(() => box(page).inputValue()).toBe(VIN);
  }
  expect(loaded).toEqual(['/assets/zxing.js', '/assets/zxing.wasm']);
});

test('the camera reads a code in the portal where the browser itself cannot, and is let go', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.adopt(await signUp(service, 'ada@example.com', 'ada-motors'));
  const picture = (await pictureOf(`I${VIN}`, 'Code39')).toString('base64');
  // A camera that sees the picture: a canvas, as a real stream.
  await page.addInitScript((source) => {
    Reflect.deleteProperty(globalThis, 'BarcodeDetector');
    const getUserMedia = async (): Promise<MediaStream> => {
      const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [bitmap.width + 80, bitmap.height + 80];
      const context = canvas.getContext('2d');
      setInterval(() => context?.drawImage(bitmap, 40, 40), 50);
      const stream = canvas.captureStream(20);
      Reflect.set(globalThis, 'cameraStream', stream);
      return stream;
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } });
  }, picture);
  await visitor.go('/portal/ada-motors/try');
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await page.getByText(`The code holds ${VIN}.`).waitFor();
  expect(await box(page).inputValue()).toBe(VIN);
  const states = await page.evaluate(() => {
    const stream: MediaStream = Reflect.get(globalThis, 'cameraStream');
    return stream.getTracks().map(({ readyState }) => readyState);
  });
  expect(states).toEqual(['ended']);
  expect(visitor.complaints).toEqual([]);
});

test('a camera that may not be used is reported, with what to do instead', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/');
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await page.getByText('choose a picture, or type the VIN').waitFor();
  expect(await page.locator('video').isVisible()).toBe(false);
});
