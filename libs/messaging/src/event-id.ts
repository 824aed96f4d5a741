import { namedUuids } from '@messaging-gateway/contracts';
import type { JournalPlace } from '@messaging-gateway/event-sourcing';

const idOf = namedUuids('b1f6a3d0-f2a4-5e2b-9b8a-6d7f4c0e9a51');

/** The identity of an entry of a journal. */
export interface EntryIdentity {
  readonly stream: string;
  readonly version: number;
  /** Of the journal when it was written; absent: it is being written. */
  readonly generation?: number;
  readonly at: Date;
}

/**
 * Id of a published event: the same whenever the entry is published again. After a restore, or when a standby is promoted,
 * versions are given out that were told of before, for something else: the time tells them apart. Entries of the first
 * generation have ids without it; nothing is written in that one any more.
 *
 * @param again counts publications of the same kind from one entry, from 0
 */
export function eventIdOf(schema: string, entry: EntryIdentity, kind: string, again = 0): string {
  const { stream, version, generation, at } = entry;
  const time = generation === 1 ? '' : ` @${at.getTime()}`;
  return idOf(`${schema} ${stream} ${version} ${kind}${again === 0 ? '' : ` ${again}`}${time}`);
}

/** A place in a journal and the order of publications in it, as text that sorts. */
export function sequenceOf(place: JournalPlace, index: number): string {
  const part = (value: bigint | number, width: number): string => value.toString(16).padStart(width, '0');
  return [part(place.generation, 4), part(place.transactionId, 16), part(place.position, 16), part(index, 2)].join('-');
}

/** Negative, zero or positive as the first place comes before, with or after the second; undefined is the beginning. */
export function comparePlaces(a: JournalPlace | undefined, b: JournalPlace | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (a.generation !== b.generation) return a.generation - b.generation;
  if (a.transactionId !== b.transactionId) return a.transactionId < b.transactionId ? -1 : 1;
  if (a.position === b.position) return 0;
  return a.position < b.position ? -1 : 1;
}
