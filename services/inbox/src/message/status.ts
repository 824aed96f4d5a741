import type { MessageStatusWord } from '@messaging-gateway/contracts';

/**
 * How far a message has come. A status only gives way to a higher one, so facts may arrive in any order.
 * `failed` stands below `sent`: should both be told, the network's word is the last.
 */
const ranks: Readonly<Record<MessageStatusWord, number>> = {
  queued: 0,
  sending: 1,
  unknown: 2,
  failed: 3,
  sent: 4,
  delivered: 5,
  read: 6,
  played: 7,
  received: 8,
  deleted: 9,
};

/** Whether a message with the first status moves on to the second. */
export const advances = (from: MessageStatusWord | undefined, to: MessageStatusWord): boolean =>
  from === undefined || ranks[to] > ranks[from];
