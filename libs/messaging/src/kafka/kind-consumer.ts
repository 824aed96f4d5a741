import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import type { Delivery } from '../delivery.ts';
import type { KeyedWork } from '../keyed-work.ts';
import type { Sealing } from '../sealing.ts';
import type { PartitionOffset, ReadRecord, RecordBatch } from './client.ts';
import { Partition } from './partition.ts';
import { eventOf, UnknownSeal } from './record.ts';

export interface KindParts {
  readonly topic: string;
  readonly work: KeyedWork;
  readonly delivery: Delivery;
  readonly sealing: Sealing | undefined;
  readonly log: Logger;
  readonly shuffle: (() => number) | undefined;
  /** The partition has room again. */
  readonly onRoom: (topic: string, partition: number) => void;
}

/** Only another start brings another secret; until then nothing behind such a record is committed. Milliseconds. */
const unknownMs = 60_000;

/** One kind on its way to one group: its partitions as far as this member has them. A kind holds up no other. */
export class KindConsumer {
  readonly #parts: KindParts;
  readonly #work: KeyedWork;
  readonly #partitions = new Map<number, Partition>();
  readonly #paused = new Set<number>();

  constructor(parts: KindParts) {
    this.#parts = parts;
    this.#work = parts.work;
  }

  /** @param same what was in hand stays there @param starts where partitions begin that were not in hand */
  assign(partitions: readonly number[], same: boolean, starts: (partition: number) => bigint | undefined): void {
    const kept = new Set(same ? partitions : []);
    for (const [number, partition] of this.#partitions) {
      if (kept.has(number)) continue;
      partition.revoke();
      this.#partitions.delete(number);
      this.#paused.delete(number);
    }
    for (const number of partitions)
      if (!this.#partitions.has(number)) this.#partitions.set(number, new Partition(starts(number)));
  }

  /** Whether nothing is to be fetched for a partition now. */
  isPaused(partition: number): boolean {
    return this.#paused.has(partition);
  }

  /** @returns whether the partition is full: nothing is to be fetched for it */
  read(batch: RecordBatch): boolean {
    const partition = this.#partitions.get(batch.partition);
    if (partition === undefined) return false;
    for (const { record, handled } of partition.take(batch)) this.#take(partition, batch.partition, record, handled);
    if (!partition.full) return false;
    this.#paused.add(batch.partition);
    this.#work.hurry();
    return true;
  }

  /** Handles an event once more, after what its key has waiting. Resolves when it is settled, which it never is after a stop. */
  again(event: EventEnvelope): Promise<void> {
    return new Promise((resolve) => this.#work.add(event.key, this.#parts.delivery.of(event, resolve)));
  }

  /** Where the partitions stand, if that is not committed yet; `done` when it is. */
  get toCommit(): readonly (PartitionOffset & { readonly done: () => void })[] {
    return [...this.#partitions].flatMap(([number, partition]) => {
      const offset = partition.toCommit;
      if (offset === undefined) return [];
      return [{ topic: this.#parts.topic, partition: number, offset, done: () => partition.committed(offset) }];
    });
  }

  /** Records of this member's partitions that the group has not handled. */
  get lag(): number {
    return [...this.#partitions.values()].reduce((sum, { lag = 0n }) => sum + Number(lag), 0);
  }

  /** How long the oldest event in hand has been there, milliseconds. */
  get oldestMs(): number {
    return Math.max(0, ...[...this.#partitions.values()].map(({ oldestMs }) => oldestMs));
  }

  /** Takes no more; resolves when those in progress are finished. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  #take(partition: Partition, number: number, record: ReadRecord, handled: () => void): void {
    const event = this.#eventOf(number, record);
    if (event === undefined) return handled();
    if (event === 'unknown') return this.#work.add(`${number} ${record.offset}`, () => Promise.resolve(unknownMs));
    const { delivery, shuffle } = this.#parts;
    const settled = (): void => {
      handled();
      if (this.#paused.has(number) && partition.hasRoom && this.#paused.delete(number))
        this.#parts.onRoom(this.#parts.topic, number);
    };
    const attempt = delivery.of(event, settled, (key) =>
      this.#paused.has(number) ? this.#work.left(key) / partition.unfinished : undefined,
    );
    const work = shuffle === undefined ? attempt : () => delay(shuffle()).then(attempt);
    this.#work.add(event.key, () => (partition.revoked ? Promise.resolve(undefined) : work()));
  }

  /** The event of a record. What is none (somebody else wrote into the topic) is passed over, logged, and stays in the topic. */
  #eventOf(partition: number, record: ReadRecord): EventEnvelope | 'unknown' | undefined {
    const { topic, log, sealing } = this.#parts;
    try {
      return eventOf(record, topic, sealing);
    } catch (error) {
      const isUnknown = error instanceof UnknownSeal;
      log.error(isUnknown ? 'Record waits for a process with its secret' : 'Record passed over: not an event', {
        topic,
        partition,
        offset: String(record.offset),
        reason: String(error),
      });
      return isUnknown ? 'unknown' : undefined;
    }
  }
}
