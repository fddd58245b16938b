/** Manual or automatic: the kind of automatic and its speeds are nothing that people are asked. */
export function gearboxOf(transmission: string): string {
  return transmission.startsWith('Manual') ? 'Manual' : 'Automatic';
}
