export { readCell, separating, writtenCell } from './cells.ts';
export { readPiece } from './pieces.ts';
export type { CsvForm, CsvLine, CsvPlace } from './pieces.ts';
