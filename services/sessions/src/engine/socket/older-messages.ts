import type { WASocket } from '@whiskeysockets/baileys';
import type { HandedOver, OlderMessages } from '../engine.ts';
import { toNetwork } from './addresses.ts';
import type { HistoryRequests } from './history-requests.ts';
import type { SignalState } from './signal-state.ts';

interface Parts {
  readonly socket: WASocket;
  readonly state: SignalState;
  readonly requests: HistoryRequests;
}

/**
 * Asks the phone, unless it has said before that nothing is older than that message: then it need not be there, nor
 * answer again.
 */
export async function olderMessages(
  { socket, state, requests }: Parts,
  { chat, oldest, count, waitMs }: OlderMessages,
): Promise<HandedOver> {
  const { networkMessageId: id, fromMe, sentAt } = oldest;
  const { [chat]: first } = await state.get<string>('first-messages', [chat]);
  if (first === id) return { networkMessageIds: [], hasMore: false };
  const key = { remoteJid: toNetwork(chat), id, fromMe };
  const answer = await requests.ask(() => socket.fetchMessageHistory(count, key, Date.parse(sentAt)), waitMs);
  if (answer.hasMore === false) {
    const begin = answer.networkMessageIds.at(-1) ?? id;
    await state.commit(state.changes({ 'first-messages': { [chat]: begin } }));
  }
  return answer;
}
