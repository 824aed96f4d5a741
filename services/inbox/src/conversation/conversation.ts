import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

interface Which {
  readonly conversationId: string;
  readonly profileId: string;
}

export type ConversationEvent =
  /** Somebody has read it: so many unread messages, the newest of which is `upTo`. */
  | { type: 'ConversationRead'; data: Which & { readonly count: number; readonly upTo: string } }
  /** It turned out to be the chat of a person who has another, older conversation: it became an alias of that. */
  | { type: 'ConversationJoined'; data: Which & { readonly into: string } };

export type ConversationCommand =
  /** `reads`: how often it had been read before the unread messages were counted. */
  ({ type: 'Read'; count: number; upTo: string; reads: number } & Which) | ({ type: 'Join'; into: string } & Which);

export interface Conversation {
  /** How often it was read. */
  readonly reads: number;
  readonly into?: string;
}

function decide(command: ConversationCommand, state: Conversation): readonly ConversationEvent[] {
  const { conversationId, profileId } = command;
  switch (command.type) {
    case 'Read': {
      const { count, upTo, reads } = command;
      // What was counted before another one read it has been counted down by that.
      const holds = count > 0 && reads === state.reads;
      return holds ? [{ type: 'ConversationRead', data: { conversationId, profileId, count, upTo } }] : [];
    }
    case 'Join':
      if (state.into !== undefined || command.into === conversationId) return [];
      return [{ type: 'ConversationJoined', data: { conversationId, profileId, into: command.into } }];
  }
}

function evolve(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'ConversationRead':
      return { ...state, reads: state.reads + 1 };
    case 'ConversationJoined':
      return { ...state, into: event.data.into };
  }
}

/** What happens to a chat as a whole; its messages are streams of their own. */
export const conversation: Decider<Conversation, ConversationCommand, ConversationEvent> = {
  initial: { reads: 0 },
  decide,
  evolve,
};

export const conversationStream: StreamType<Conversation, ConversationCommand, ConversationEvent> = {
  name: 'conversation',
  decider: conversation,
  events: { ConversationRead: { version: 1 }, ConversationJoined: { version: 1 } },
  snapshotEvery: 100,
  snapshotVersion: 2,
};
