/** Reduces a transmission to Manual or Automatic, the only part people can confirm. */
export function gearboxOf(transmission: string): string {
  return transmission.startsWith('Manual') ? 'Manual' : 'Automatic';
}
