import type { MessageStatusWord } from '@messaging-gateway/contracts';

export type Direction = 'incoming' | 'outgoing';

/** Facts of a message that are counted: nothing of what it says, nor of who wrote it. */
export interface Fact {
  readonly organizationId: string;
  readonly place: string;
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  /** Milliseconds since 1970: that of the place. */
  readonly at: number;
  readonly direction: Direction;
  /** In a chat of two. */
  readonly isPrivate: boolean;
  readonly type: string;
  /** As outbound tells it; `code` for one-time codes, '' for what came in. */
  readonly origin: string;
  readonly status: MessageStatusWord;
}

/** How far a message to the network has come. */
export interface Progress {
  readonly organizationId: string;
  readonly messageId: string;
  readonly status: MessageStatusWord;
}

/** A chat that became another one. */
export interface Join {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly into: string;
}

/** One thing that was told. */
export type News =
  | ({ readonly kind: 'message' } & Fact)
  | ({ readonly kind: 'progress' } & Progress)
  | ({ readonly kind: 'join' } & Join);

/** A status only gives way to a higher one, so facts may arrive in any order; as in the inbox. */
export const ranks: Readonly<Record<MessageStatusWord, number>> = {
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

export const higher = (one: MessageStatusWord, other: MessageStatusWord): MessageStatusWord =>
  ranks[other] > ranks[one] ? other : one;

/** Origins of what somebody says in a chat: a person or a client; and what automation says. All else answers nobody. */
export const ownWords: readonly string[] = ['api', 'phone'];
export const anyWords: readonly string[] = [...ownWords, 'automation'];
