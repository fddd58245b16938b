import type { VinLayout } from '../../world/model.ts';
import { layoutFit } from '../../world/layout-fit.ts';

/** The name of a WMI without a layout until it has one. */
export const NEW_LAYOUT = 'new/';

/** Finds the layout of a VIN, among many VINs. */
export class LayoutFinder {
  readonly #byWmi = new Map<string, VinLayout[]>();
  readonly #checked = new Set<string>();
  readonly #yearless = new Set<string>();

  constructor(layouts: readonly VinLayout[]) {
    for (const layout of layouts) {
      if (layout.checkDigit !== 'none') this.#checked.add(layout.id);
      if (layout.year === 'none') this.#yearless.add(layout.id);
      for (const wmi of layout.wmis) {
        const own = this.#byWmi.get(wmi);
        if (own === undefined) this.#byWmi.set(wmi, [layout]);
        else own.push(layout);
      }
    }
  }

  /** Returns the most specific layout that the VIN fits, or "new/" with its WMI. */
  layoutOf(vin: string): string {
    let best: { id: string; fit: number } | undefined;
    for (const layout of [...(this.#byWmi.get(longWmi(vin)) ?? []), ...(this.#byWmi.get(vin.slice(0, 3)) ?? [])]) {
      const fit = layoutFit(layout, vin);
      if (fit !== undefined && (best === undefined || fit > best.fit)) best = { id: layout.id, fit };
    }
    return best?.id ?? NEW_LAYOUT + (vin.charAt(2) === '9' ? longWmi(vin) : vin.slice(0, 3));
  }

  /** Returns true if the layout's VINs have no character for the year. */
  isYearless(layout: string): boolean {
    return this.#yearless.has(layout);
  }

  /** Returns the characters of the VIN that a pattern may contain: no check digit, no serial number. */
  observed(vin: string, layout: string): string {
    const checked = layout.startsWith(NEW_LAYOUT) || this.#checked.has(layout);
    return vin.slice(0, 8) + (checked ? '.' : vin.charAt(8)) + vin.slice(9, 11);
  }
}

function longWmi(vin: string): string {
  return vin.slice(0, 3) + vin.slice(11, 14);
}
