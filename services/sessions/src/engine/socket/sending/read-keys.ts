import type { WAMessageKey } from '@whiskeysockets/baileys';
import { toNetwork } from '../wire-format/addresses.ts';

/** A message that was read; in a group it has an author. */
export interface ReadMessage {
  readonly networkMessageId: string;
  readonly author?: string | undefined;
}

/** The library's names of messages of a chat. */
export function readKeys(chat: string, messages: readonly ReadMessage[]): WAMessageKey[] {
  const remoteJid = toNetwork(chat);
  return messages.map(({ networkMessageId: id, author }) => ({
    remoteJid,
    id,
    fromMe: false,
    ...(author !== undefined && chat.endsWith('@g.us') && { participant: toNetwork(author) }),
  }));
}
