/** The mild hybrids of a make: of which cars, since which model year. */
interface MildHybrids {
  make: RegExp;
  from: number;
  /** A pattern that the model and its badge must fit. */
  name?: RegExp;
}

/**
 * Cars that EPA calls hybrids and whose motor is too weak to drive them: all hybrids of these makes, or those of these
 * names.
 */
const MILD: readonly MildHybrids[] = [
  { make: /^Audi$|^BMW$|^Mercedes-Benz$/, from: 2019 },
  { make: /^Genesis$|^Jaguar$|^Land Rover$|^Volvo$|^Maserati$/, from: 2019 },
  { make: /^Mazda$/, from: 2024, name: /^CX-[79]0\b/ },
  { make: /^Jeep$/, from: 2018, name: /^(?:Wrangler|Wagoneer)\b/ },
  { make: /^Ram$/, from: 2019 },
  { make: /^Buick$|^Chevrolet$/, from: 2012, name: /\beAssist\b/i },
  { make: /^Chevrolet$|^GMC$/, from: 2016, name: /^(?:Silverado|Sierra)\b/ },
];

/**
 * Returns true if a car that EPA calls a hybrid is a mild one: it burns its fuel like any other car, and hardly any VIN
 * distinguishes the two. Those cars of these makes that a motor can drive have a plug, and EPA calls them plug-in
 * hybrids.
 */
export function isMildHybrid(make: string, model: string, year: number): boolean {
  return MILD.some(
    (row) => row.make.test(make) && year >= row.from && (row.name === undefined || row.name.test(model)),
  );
}
