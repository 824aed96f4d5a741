import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import { message, type MessageCommand } from '../message/message.ts';
import { evolve, type KnownMessage } from '../message/message-state.ts';
import type { AcceptedMessage } from './lane-entry.ts';

/**
 * What a command makes of a message of which nothing was written since it was accepted, as it will be written: a reply
 * that comes first names the same events.
 */
export function outcomeOf(
  { message: accepted, event }: AcceptedMessage,
  command: MessageCommand,
  at: Date,
): readonly [KnownMessage, readonly RecordedEvent[]] {
  const decided = message.decide(command, accepted);
  const { audit: _, ...metadata } = event.metadata;
  const events = decided.map(({ type, data }, index) => ({
    ...event,
    version: event.version + index + 1,
    type,
    data: data as unknown as RecordedEvent['data'],
    metadata,
    at,
  }));
  return [decided.reduce(evolve, accepted) as KnownMessage, events];
}
