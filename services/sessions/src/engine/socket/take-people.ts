import type { WASocket } from '@whiskeysockets/baileys';
import { Refused } from '@messaging-gateway/messaging';
import type { Self } from './addresses.ts';
import type { People } from './people.ts';
import type { SignalState } from './signal-state.ts';

/** The part of the account's state that holds the phone's address book. */
const addressBook = 'critical_unblock_low';

/** Notes the people of whom the network tells by itself: when the client is linked, and when the phone saves somebody. */
export function takePeople(socket: WASocket, people: People, self: () => Self): void {
  socket.ev.on('contacts.upsert', (told) => people.take(told, self()));
  // Names of chats are not always those in the address book, which comes by itself.
  socket.ev.on('messaging-history.set', ({ contacts }) =>
    people.take(
      contacts.map(({ name: _ofChat, ...told }) => told),
      self(),
    ),
  );
}

/**
 * Reads the phone's address book anew, from its beginning: what the client was told before may have been lost with a
 * process that was killed.
 *
 * @throws Refused ENGINE_TIMEOUT when the network does not give it
 */
export async function readAddressBook(socket: WASocket, people: People, state: SignalState): Promise<void> {
  await state.set({ 'app-state-sync-version': { [addressBook]: null } });
  try {
    await socket.resyncAppState([addressBook], false);
  } catch {
    throw new Refused('ENGINE_TIMEOUT', "The network does not hand over the phone's address book now.");
  }
  // The library holds events back for a moment.
  socket.ev.flush();
  await people.settled();
}
