import { namedUuids, type EventEnvelope, type EventMark } from '@messaging-gateway/contracts';
import {
  unreadableText,
  type JournalEntry,
  type JournalPlace,
  type ReadEntry,
  type RecordedEvent,
} from '@messaging-gateway/event-sourcing';
import { jsonCopy } from '@messaging-gateway/runtime';
import type { EventSource, PublishedFact } from './events.ts';
import { frozen } from './json.ts';
import type { OnUntold } from './untold.ts';

/** Counts the earlier publications of the same kind from one entry, so that each has an id of its own. */
const countBefore = (facts: readonly PublishedFact[], index: number, kind: string): number =>
  index === 0 ? 0 : facts.slice(0, index).filter((fact) => fact.contract.type === kind).length;

/**
 * The envelopes of an entry, unchangeable, so that all consumers of a process can share them.
 * An entry that is damaged, or that its service fails to map, is told to nobody: it must not hold up all that follow.
 *
 * @param wanted kinds that nobody takes are not made
 */
export function envelopesOf(
  source: EventSource,
  entry: ReadEntry,
  wanted: (kind: string) => boolean,
  onUntold: OnUntold,
): EventEnvelope[] {
  if (entry.unreadable !== undefined) {
    onUntold(entry, unreadableText(entry));
    return [];
  }
  try {
    const facts = source.publish(entry);
    return facts.flatMap((fact, index) =>
      wanted(fact.contract.type) ? [frozen(marked(source, envelopeOf(source, entry, facts, index)))] : [],
    );
  } catch (error) {
    onUntold(entry, String(error));
    return [];
  }
}

const marked = (source: EventSource, event: EventEnvelope): EventEnvelope => source.mark?.(event) ?? event;

function envelopeOf(
  source: EventSource,
  entry: JournalEntry,
  facts: readonly PublishedFact[],
  index: number,
): EventEnvelope {
  const { contract, data, key, time } = facts[index] as PublishedFact;
  const { organizationId, profileId, requestId, traceparent } = entry.metadata;
  return {
    id: eventIdOf(
      source.schema,
      { ...entry, generation: entry.place.generation },
      contract.type,
      countBefore(facts, index, contract.type),
    ),
    type: contract.type,
    version: contract.version,
    source: source.name,
    organizationId,
    ...(profileId !== undefined && { profileId }),
    key: key ?? profileId ?? entry.stream,
    sequence: sequenceOf(entry.place, index),
    time: time ?? entry.at.toISOString(),
    data: jsonCopy(data),
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Names the events that were just appended to the journal of a schema, with the ids that they will have when they are told. */
export function marksOf(
  schema: string,
  publish: (entry: RecordedEvent) => readonly PublishedFact[],
  appended: readonly RecordedEvent[],
): EventMark[] {
  return appended.flatMap((entry) => {
    const facts = publish(entry);
    return facts.map(({ contract: { type } }, index) => ({
      id: eventIdOf(schema, entry, type, countBefore(facts, index, type)),
      type,
    }));
  });
}

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
