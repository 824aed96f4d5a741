import { jidDecode, type WASocket } from '@whiskeysockets/baileys';
import { Refused } from '@messaging-gateway/messaging';
import type { KnownNumber } from '../engine.ts';

/**
 * Those of the phones that are on the network.
 *
 * @throws Refused ENGINE_TIMEOUT when the network does not answer
 */
export async function onNetwork(socket: WASocket, phones: readonly string[]): Promise<readonly KnownNumber[]> {
  const found = await socket.onWhatsApp(...phones).catch((error: Error) => {
    throw new Refused('ENGINE_TIMEOUT', `The network did not say who is on it: ${error.message}`);
  });
  return (found ?? []).flatMap(({ jid, exists }) => {
    const user = jidDecode(jid)?.user;
    return exists && user !== undefined ? [{ phone: phoneOf(user, phones), jid: `${user}@c.us` }] : [];
  });
}

/** The network may answer with another form of the same number, which ends as the one that was asked about. */
const phoneOf = (user: string, phones: readonly string[]): string =>
  phones.includes(user) ? user : (phones.find((phone) => phone.slice(-8) === user.slice(-8)) ?? user);
