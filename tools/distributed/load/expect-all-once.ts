import { expect } from '@jest/globals';
import type { Arrivals } from './load.ts';

/**
 * Each message at the contact once and in order; each of the contact's stored and told once; each event told.
 * Stored ones are compared without order: after a reconnect the client library hands on what waited behind what comes
 * in live, and the network's times of a message are whole seconds.
 */
export function expectAllOnce({ chats }: Arrivals): void {
  const arrived = chats.map(({ shownToContact, stored, toldSent, toldReceived }) => ({
    shownToContact,
    stored: stored.toSorted(),
    toldSent: toldSent.toSorted(),
    toldReceived: toldReceived.toSorted(),
  }));
  const wanted = chats.map(({ acknowledged, writtenByContact }) => ({
    shownToContact: acknowledged,
    stored: writtenByContact.toSorted(),
    toldSent: acknowledged.toSorted(),
    toldReceived: writtenByContact.toSorted(),
  }));
  expect(arrived).toEqual(wanted);
}
