/** What a spreadsheet would run. */
const risky = /^'*[=+\-@]/;
const neutralised = /^'+[=+\-@]/;

/** A cell that no spreadsheet takes for a formula (api-decisions §6); `readCell` gives back the same text. */
export const writtenCell = (text: string): string => (risky.test(text) ? `'${text}` : text);

/** The text of a cell that `writtenCell` or somebody else wrote. */
export const readCell = (cell: string): string => (neutralised.test(cell) ? cell.slice(1) : cell);
