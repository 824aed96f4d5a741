import type { JournalPlace } from './journal-entry.ts';

/** A place as the driver gives it. */
export interface PlaceColumns {
  readonly generation: number;
  readonly transaction_id: string;
  readonly position: string;
}

/** A place as parameters of a query: generation, transaction id, position. Of none: the beginning. */
export const columnsOf = (place: JournalPlace | undefined): [number, string, string] => [
  place?.generation ?? 0,
  String(place?.transactionId ?? 0),
  String(place?.position ?? 0),
];

export const placeOf = (row: PlaceColumns): JournalPlace => ({
  generation: row.generation,
  transactionId: BigInt(row.transaction_id),
  position: BigInt(row.position),
});
