/** The beginning of docs/accuracy.md. */
export const HEADER = `# Accuracy

Written by \`npm run accuracy\`; do not edit. *Answered* is the share of labeled VINs for which the field has a value,
*right* the share of those answers that agree with the label: what is not sure is left out, so *right* is the figure
that matters. In the tables by group each cell is answered / right. Labels come from sellers and registers and are
themselves sometimes wrong; every wrong answer is listed with a verdict: ours, the label's, or undecidable from a VIN. Each VIN is
decoded without the rows that rest on nothing but VINs of its own group (the same positions 1-8, 10 and 11): what is shown is what
to expect of VINs that no one has looked at, not how well the facts fit those that they were written with.

The second table of each set leaves out more. *Without its model*: all labeled cars of the VIN's model, as if nobody had seen one.
*Without rows from labels*: every row that rests on labeled VINs, and all that is learned from them; what the first column has above
it comes from rows that were written with labels in sight. The README, the start page of the service, and the tables by group below
show the lower of the first two.

\`golden\` has whole VINs, chosen because they are difficult. The others are the [evaluation set](../catalog/evaluation/README.md),
whose VINs lack the last three characters: they are \`000\`, with a check digit to match.

## What the missing characters cost

Some makers tell one model or year from the next by the serial number alone, so a VIN that lacks a part of it says a little less. This
is what the same 13,165 vehicles gave with their whole VINs and with the last three characters missing (November 2026; answered /
right). In every field and set that is not shown the two are equal, in all of North America and Brazil among them. One figure
flatters: a missing character is easier to put back among zeros (\`na\`: 62.8 % first, 51.6 % with whole VINs).

| VINs | field | labeled | whole | without the last three |
|---|---|--:|--:|--:|
| world | model | 1297 | 95.45 % / 97.98 % | 95.37 % / 97.90 % |
| world | modelYear | 1199 | 82.24 % / 97.77 % | 81.98 % / 97.76 % |
| world | body | 804 | 80.22 % / 95.04 % | 79.98 % / 95.02 % |
| world | transmission | 750 | 31.20 % / 99.15 % | 31.07 % / 99.14 % |
| world-ads | manufacturer | 5277 | 98.41 % / 99.79 % | 98.43 % / 99.79 % |
| world-ads | model | 5277 | 97.20 % / 98.85 % | 97.12 % / 98.83 % |
| world-ads | modelYear | 5277 | 74.11 % / 96.70 % | 73.53 % / 96.65 % |
| world-detail | model | 884 | 94.46 % / 96.89 % | 94.46 % / 96.77 % |
| world-detail | body | 515 | 80.78 % / 96.63 % | 80.97 % / 96.64 % |
| world-detail | fuelType | 971 | 56.02 % / 99.45 % | 55.92 % / 99.45 % |
| world-detail | driveType | 511 | 59.69 % / 98.36 % | 59.49 % / 98.36 % |
| world-detail | transmission | 931 | 21.16 % / 100 % | 21.05 % / 100 % |
| europe-2026 | model | 559 | 91.41 % / 97.06 % | 91.41 % / 96.87 % |
| europe-2026 | displacementCc | 381 | 57.22 % / 92.66 % | 56.96 % / 92.63 % |
| europe-2026 | transmission | 202 | 19.31 % / 97.44 % | 19.80 % / 95.00 % |
| europe-2026 | powerKw | 457 | 38.29 % / 84.57 % | 37.64 % / 84.88 % |
`;
