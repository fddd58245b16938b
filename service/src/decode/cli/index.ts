export { blocksOfColumn } from './column.ts';
export { openInput, type InputFile } from './input.ts';
export { blocksOfLines } from './line-blocks.ts';
export { vinsIn } from './lines.ts';
export { placeOfVins } from './place.ts';
export { progressBar } from './progress.ts';
