import type { EventEnvelope, EventMark } from '@messaging-gateway/contracts';
import {
  unreadableText,
  type JournalEntry,
  type ReadEntry,
  type RecordedEvent,
} from '@messaging-gateway/event-sourcing';
import { jsonCopy } from '@messaging-gateway/runtime';
import { eventIdOf, sequenceOf } from './event-id.ts';
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
