import type { RecordToSend } from './client.ts';

/** A broker takes a megabyte per partition and portion by default; a portion may go to one partition as a whole. */
const portionBytes = 512 * 1024;

/** Splits records, in order, so that no portion is larger than a broker takes. */
export function portionsOf(records: readonly RecordToSend[]): RecordToSend[][] {
  const portions: RecordToSend[][] = [];
  let bytes = portionBytes;
  for (const record of records) {
    const size = Buffer.byteLength(record.value) + 200;
    if (bytes + size > portionBytes) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(record);
    bytes += size;
  }
  return portions;
}
