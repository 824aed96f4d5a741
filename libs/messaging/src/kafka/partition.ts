import { Progress } from '../progress.ts';
import type { ReadRecord, RecordBatch } from './client.ts';

/** Events of one partition in memory: from here on nothing is fetched, until half of them are done. */
const capacity = 500;
/** Records between the oldest event in hand and the newest, at most: a crash repeats that many. */
const longestDistance = 100_000;

/** One partition while this member has it: what was taken, and up to where everything is handled. */
export class Partition {
  #progress = new Progress<bigint>(undefined);
  #next: bigint;
  #end: bigint | undefined;
  #committed: bigint | undefined;
  /** The group has nothing to read before this. */
  #floor: bigint | undefined;
  #revoked = false;

  /** @param from records before it count as handled */
  constructor(from = 0n) {
    this.#next = from;
  }

  /** Another member has it now, or may have: what was not begun is left to it, and nothing is committed. */
  get revoked(): boolean {
    return this.#revoked;
  }

  revoke(): void {
    this.#revoked = true;
  }

  get full(): boolean {
    return this.#progress.unfinished >= capacity || this.#progress.distance >= longestDistance;
  }

  get hasRoom(): boolean {
    return this.#progress.unfinished <= capacity / 2 && this.#progress.distance <= longestDistance / 2;
  }

  /** Events in hand. */
  get unfinished(): number {
    return this.#progress.unfinished;
  }

  /** How long the oldest event in hand has been there, milliseconds. */
  get oldestMs(): number {
    return this.#progress.ageMs;
  }

  /** Records that the group has not handled, undefined before the first read. */
  get lag(): bigint | undefined {
    if (this.#end === undefined) return undefined;
    return this.#end - (this.#progress.place ?? this.#committed ?? this.#next);
  }

  /** The records not seen yet; each is handed over with a function that says that it was handled. */
  take(batch: RecordBatch): readonly { readonly record: ReadRecord; readonly handled: () => void }[] {
    this.#end = batch.end;
    this.#noticeNewLog(batch);
    const taken = batch.records
      .filter(({ offset }) => offset >= this.#next)
      .map((record) => ({ record, handled: this.#progress.begin(record.offset + 1n, 1) }));
    if (batch.next <= this.#next) return taken;
    this.#next = batch.next;
    if (taken.at(-1)?.record.offset !== batch.next - 1n) this.#progress.begin(batch.next, 1)();
    return taken;
  }

  /** The place to commit: that behind the last of those handled without a gap. */
  get toCommit(): bigint | undefined {
    const { place } = this.#progress;
    return this.#revoked || place === undefined || place === this.#committed ? undefined : place;
  }

  committed(place: bigint): void {
    this.#committed = place;
    this.#floor = place;
  }

  /** Records from before what was committed or first read: the topic was deleted and made again, and counts anew. */
  #noticeNewLog({ records }: RecordBatch): void {
    const first = records[0]?.offset;
    if (first === undefined) return;
    this.#floor ??= first;
    if (first >= this.#floor) return;
    this.#floor = first;
    this.#next = first;
    this.#committed = undefined;
    this.#progress = new Progress<bigint>(undefined);
  }
}
