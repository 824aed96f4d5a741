import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

interface Which {
  readonly conversationId: string;
  readonly profileId: string;
}

/**
 * Who read a conversation: the owner on the phone or on another linked device, or somebody who answered through the API.
 * Absent: somebody who marked it as read through the API, which sends read receipts.
 */
export type ReadBy = 'phone' | 'answer';

/** `count` unread messages are unread no longer. */
interface Counted {
  readonly count: number;
}

export type ConversationEvent =
  /**
   * The conversation was read: `count` unread messages, the newest of which is `upTo`. A count of -1: marked as unread.
   * `remaining`: messages that are still unread.
   */
  | {
      type: 'ConversationRead';
      data: Which & Counted & { readonly upTo: string; readonly by?: ReadBy; readonly remaining?: number };
    }
  /** The chat turned out to be that of a person who has another, older conversation: it became an alias of that. */
  | {
      type: 'ConversationJoined';
      data: Which & {
        readonly into: string;
        /** JID that the surviving conversation has from now on. Absent: it keeps its own, or takes that of the joined one. */
        readonly jid?: string;
      };
    }
  | { type: 'ConversationArchived'; data: Which & { readonly archived: boolean } }
  /** Until when (ISO 8601): absent for good, in the past when it is muted no longer. */
  | { type: 'ConversationMuted'; data: Which & { readonly muted: boolean; readonly until?: string } }
  | { type: 'ConversationPinned'; data: Which & { readonly pinned: boolean } }
  /** Messages stored up to then (ISO 8601) are gone; with `deleted` so is the conversation, until the next message. */
  | { type: 'ConversationCleared'; data: Which & Counted & { readonly at: string; readonly deleted: boolean } };

/** `reads`: how often it had been read before the unread messages were counted. */
interface Count {
  readonly count: number;
  readonly reads: number;
}

export type ConversationCommand = Which &
  (
    | ({ type: 'Read'; upTo: string; by?: ReadBy; remaining?: number } & Count)
    /** Only if nothing is unread. */
    | ({ type: 'MarkUnread'; upTo: string } & Count)
    | { type: 'Join'; into: string; jid?: string }
    | { type: 'Archive'; archived: boolean }
    /** Without `muted`: the other way round. `now`: ISO 8601. */
    | { type: 'Mute'; muted?: boolean; until?: string; now: string }
    | { type: 'Pin'; pinned?: boolean }
    | ({ type: 'Clear'; at: string; deleted: boolean } & Count)
  );

export interface Conversation {
  /** How often it was read or cleared. */
  readonly reads: number;
  /** Messages that were read by an answer, so that their authors got no read receipt. */
  readonly unconfirmed?: number;
  readonly into?: string;
  readonly archived?: boolean;
  readonly pinned?: boolean;
  /** Absent: not at all. `until` absent: for good. */
  readonly muted?: { readonly until?: string };
}

function decide(command: ConversationCommand, state: Conversation): readonly ConversationEvent[] {
  const { conversationId, profileId } = command;
  const which = { conversationId, profileId };
  switch (command.type) {
    case 'Read': {
      const { count, upTo, reads, by, remaining } = command;
      const confirms = by === undefined && (state.unconfirmed ?? 0) > 0;
      // What was counted before another one read it has been counted down by that.
      if ((count <= 0 && !confirms) || reads !== state.reads) return [];
      const details = { ...(by !== undefined && { by }), ...(remaining !== undefined && { remaining }) };
      return [{ type: 'ConversationRead', data: { ...which, count, upTo, ...details } }];
    }
    case 'MarkUnread': {
      const { count, upTo, reads } = command;
      if (count > 0 || reads !== state.reads) return [];
      return [{ type: 'ConversationRead', data: { ...which, count: -1, upTo, by: 'phone', remaining: 1 } }];
    }
    case 'Join':
      if (state.into !== undefined || command.into === conversationId) return [];
      return [
        {
          type: 'ConversationJoined',
          data: { ...which, into: command.into, ...(command.jid !== undefined && { jid: command.jid }) },
        },
      ];
    case 'Archive': {
      const { archived } = command;
      return archived === (state.archived ?? false)
        ? []
        : [{ type: 'ConversationArchived', data: { ...which, archived } }];
    }
    case 'Mute':
      return mute(command, state);
    case 'Pin': {
      const before = state.pinned ?? false;
      const { pinned = !before } = command;
      return pinned === before ? [] : [{ type: 'ConversationPinned', data: { ...which, pinned } }];
    }
    case 'Clear': {
      const { count, at, deleted, reads } = command;
      return reads === state.reads ? [{ type: 'ConversationCleared', data: { ...which, count, at, deleted } }] : [];
    }
  }
}

function mute(
  { conversationId, profileId, until, now, ...asked }: Extract<ConversationCommand, { type: 'Mute' }>,
  state: Conversation,
): readonly ConversationEvent[] {
  const { muted: before } = state;
  const isMuted = before !== undefined && (before.until === undefined || before.until > now);
  const muted = asked.muted ?? (until !== undefined || !isMuted);
  if (muted ? isMuted && before.until === until : !isMuted) return [];
  const ends = muted && until !== undefined ? { until } : {};
  return [{ type: 'ConversationMuted', data: { conversationId, profileId, muted, ...ends } }];
}

function evolve(state: Conversation, { type, data }: ConversationEvent): Conversation {
  switch (type) {
    case 'ConversationRead': {
      const { unconfirmed = 0, ...rest } = state;
      const reads = state.reads + 1;
      return data.by === 'answer' ? { ...rest, reads, unconfirmed: unconfirmed + data.count } : { ...rest, reads };
    }
    case 'ConversationJoined':
      return { ...state, into: data.into };
    case 'ConversationArchived':
      return { ...state, archived: data.archived };
    case 'ConversationPinned':
      return { ...state, pinned: data.pinned };
    case 'ConversationMuted': {
      const { muted: _, ...rest } = state;
      return data.muted ? { ...rest, muted: data.until === undefined ? {} : { until: data.until } } : rest;
    }
    case 'ConversationCleared': {
      const { unconfirmed: _, ...rest } = state;
      return data.deleted ? { reads: state.reads + 1 } : { ...rest, reads: state.reads + 1 };
    }
  }
}

/** The rules of a chat as a whole; its messages are streams of their own. */
export const conversation: Decider<Conversation, ConversationCommand, ConversationEvent> = {
  initial: { reads: 0 },
  decide,
  evolve,
};

export const conversationStream: StreamType<Conversation, ConversationCommand, ConversationEvent> = {
  name: 'conversation',
  decider: conversation,
  events: {
    ConversationRead: { version: 1 },
    ConversationJoined: { version: 1, personal: ['jid'] },
    ConversationArchived: { version: 1 },
    ConversationMuted: { version: 1 },
    ConversationPinned: { version: 1 },
    ConversationCleared: { version: 1 },
  },
  snapshotEvery: 100,
  snapshotVersion: 4,
};
