import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { type KnownMessage, isKnown, messageStream, nextMessageIdOf } from '../message/message.ts';
import { isTriedAnew } from './answers.ts';

/** Tries under one Idempotency-Key, at most. */
const chainLength = 100;

/** The message that stands for an id, if there is one, or the id that it will have. */
export interface LastMessage {
  readonly messageId: string;
  readonly message?: KnownMessage;
}

/** After an answer that is not kept, a repeat goes on with the next message. */
export async function lastMessageOf(store: EventStore, resourceId: string): Promise<LastMessage> {
  let messageId = resourceId;
  for (let tries = 0; tries < chainLength; tries += 1) {
    const { state } = await store.load(messageStream, messageId);
    if (!isKnown(state)) return { messageId };
    if (!isTriedAnew(state)) return { messageId, message: state };
    messageId = nextMessageIdOf(messageId);
  }
  throw new Refused('CONFLICT', 'Too many tries with one Idempotency-Key.');
}
