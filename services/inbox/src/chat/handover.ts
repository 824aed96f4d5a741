import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

/** Times are ISO 8601, UTC, with milliseconds. */
interface Silence {
  readonly conversationId: string;
  readonly profileId: string;
  /** Ids of the conversations that became an alias of this one. */
  readonly aliases: readonly string[];
}

export type HandoverEvent =
  /** A human has taken over the chat: nothing automatic answers until then. */
  | { type: 'HandedOver'; data: Silence & { readonly until: string } }
  /** The chat is automation's again. */
  | { type: 'Resumed'; data: Silence & { readonly at: string } };

export type HandoverCommand = Silence &
  (
    | {
        type: 'HandOver';
        until: string;
        /** Shortens what was longer. */
        exactly?: boolean;
      }
    /**
     * The owner has written on the phone. What was before somebody gave the chat back changes nothing. `noticedAt`: by our own clock
     * where it came at once, else when it was written.
     */
    | { type: 'NotePhone'; noticedAt: string; until: string }
    /** `at`: now. */
    | { type: 'Resume'; at: string }
  );

export interface Handover {
  /** May have passed. Absent: never, or given back. */
  readonly until?: string;
  readonly resumedAt?: string;
}

/** The network tells times in whole seconds, and clocks differ: only what was surely written before counts as that. */
const toleranceMs = 1000;
const isBefore = (time: string, other: string): boolean => Date.parse(time) + toleranceMs <= Date.parse(other);

function decide(command: HandoverCommand, { until: before = '', resumedAt }: Handover): readonly HandoverEvent[] {
  const { conversationId, profileId, aliases } = command;
  const which = { conversationId, profileId, aliases };
  switch (command.type) {
    case 'HandOver': {
      const { until, exactly = false } = command;
      const changes = exactly ? until !== before : until > before;
      return changes ? [{ type: 'HandedOver', data: { ...which, until } }] : [];
    }
    case 'NotePhone': {
      const { noticedAt, until } = command;
      if (until <= before || (resumedAt !== undefined && isBefore(noticedAt, resumedAt))) return [];
      return [{ type: 'HandedOver', data: { ...which, until } }];
    }
    case 'Resume': {
      const { at } = command;
      return before > at ? [{ type: 'Resumed', data: { ...which, at } }] : [];
    }
  }
}

function evolve(state: Handover, event: HandoverEvent): Handover {
  if (event.type === 'Resumed') return { resumedAt: event.data.at };
  return { ...state, until: event.data.until };
}

/** Whether a chat is in the hands of a human; the stream has the id of its conversation. */
export const handover: Decider<Handover, HandoverCommand, HandoverEvent> = { initial: {}, decide, evolve };

/** A stream of its own beside the conversation's: a chat is silenced with the owner's first word in it, which makes the conversation. */
export const handoverStream: StreamType<Handover, HandoverCommand, HandoverEvent> = {
  name: 'handover',
  decider: handover,
  events: { HandedOver: { version: 1 }, Resumed: { version: 1 } },
  snapshotEvery: 100,
};
