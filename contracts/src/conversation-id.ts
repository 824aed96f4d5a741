import { namedUuids } from './named-uuid.ts';

const uuidOf = namedUuids('6f2d0c1e-5b0a-5c57-9d43-0a4a6f5f0f10');

/** Id of the conversation of a profile with a chat: derived, so that outbound names it without asking the inbox. */
export function conversationIdOf(profileId: string, chatJid: string): string {
  return uuidOf(`${profileId} ${chatJid}`);
}
