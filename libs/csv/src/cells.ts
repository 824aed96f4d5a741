/** Cells that a spreadsheet would run, also in full width, and after blanks that it leaves out. */
const risky = /^'*[=+\-@＝＋－＠\t\r\n]/;
const neutralised = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** Characters that some reader takes for the end of a cell or of a row: such cells stand in quotation marks. */
export const separating = /[;\t\r\n]/;

/** A cell that no spreadsheet takes for a formula; `readCell` gives back the same text. */
export const writtenCell = (text: string): string => (risky.test(text) ? `'${text}` : text);

/** The text of a cell that `writtenCell` or somebody else wrote. */
export const readCell = (cell: string): string => (neutralised.test(cell) ? cell.slice(1) : cell);
