import { randomBytes } from 'node:crypto';
import type { Person } from '../people/person.ts';
import { deliver, encryptFor, spoil } from './writing.ts';

/**
 * Messages that nobody can ever read, whatever the linked devices ask for.
 * All carry the same ciphertext, so that the session with their author stays usable.
 *
 * @returns their ids
 */
export async function storm(author: Person, recipient: Person, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomBytes(16).toString('hex').toUpperCase());
  const message = { conversation: 'unreadable' };
  await author.inTurn(async () => {
    for (const device of recipient.devices.values()) {
      const encrypted = await encryptFor(author, device, message);
      spoil(encrypted.ciphertext);
      for (const id of ids) {
        author.outbox.add({ id, to: recipient.phone, text: '' }, message, { unreadable: encrypted });
        deliver(author, device, id, { message, encrypted });
      }
    }
  });
  return ids;
}
