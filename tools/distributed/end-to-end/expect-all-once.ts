import { expect } from '@jest/globals';
import type { Arrivals } from './load.ts';

/**
 * Each message at the contact once and in order; each of the contact's stored and told once; each event told.
 * Stored ones are compared without order: after a reconnect the client library hands on what waited behind what comes
 * in live, and the network's times of a message are whole seconds.
 */
export function expectAllOnce({ chats }: Arrivals): void {
  for (const chat of chats) {
    expect(chat.shownToContact).toEqual(chat.acknowledged);
    expect(chat.stored.toSorted()).toEqual(chat.writtenByContact.toSorted());
    expect(chat.toldSent.toSorted()).toEqual(chat.acknowledged.toSorted());
    expect(chat.toldReceived.toSorted()).toEqual(chat.writtenByContact.toSorted());
  }
}
