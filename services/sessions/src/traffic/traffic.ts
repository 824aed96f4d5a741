import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { Fact } from '../engine/engine.ts';

/** Facts from the network, many to a stream; a stream is one append (see `recorder.ts`). */
export type TrafficEvent =
  | { type: 'MessageSeen'; data: Extract<Fact, { kind: 'message' }>['data'] }
  | { type: 'MessageChangeSeen'; data: Extract<Fact, { kind: 'change' }>['data'] }
  | { type: 'ReceiptSeen'; data: Extract<Fact, { kind: 'receipt' }>['data'] }
  | { type: 'GroupChangeSeen'; data: Extract<Fact, { kind: 'group' }>['data'] }
  | { type: 'ParticipantsSeen'; data: Extract<Fact, { kind: 'participants' }>['data'] }
  | { type: 'GroupNameSeen'; data: Extract<Fact, { kind: 'group-named' }>['data'] };

export interface RecordFacts {
  readonly type: 'RecordFacts';
  readonly facts: readonly Fact[];
}

/** How many facts the stream holds. */
type Traffic = number;

function eventOf(fact: Fact): TrafficEvent {
  switch (fact.kind) {
    case 'message':
      return { type: 'MessageSeen', data: fact.data };
    case 'change':
      return { type: 'MessageChangeSeen', data: fact.data };
    case 'receipt':
      return { type: 'ReceiptSeen', data: fact.data };
    case 'group':
      return { type: 'GroupChangeSeen', data: fact.data };
    case 'participants':
      return { type: 'ParticipantsSeen', data: fact.data };
    case 'group-named':
      return { type: 'GroupNameSeen', data: fact.data };
  }
}

/** A stream is written once: what is handed in again was appended before a crash. */
export const traffic: Decider<Traffic, RecordFacts, TrafficEvent> = {
  initial: 0,
  decide: ({ facts }, count) => (count === 0 ? facts.map(eventOf) : []),
  evolve: (count) => count + 1,
};

export const trafficStream: StreamType<Traffic, RecordFacts, TrafficEvent> = {
  name: 'traffic',
  decider: traffic,
  ends: true,
  events: {
    MessageSeen: { version: 1, personal: ['chat', 'author', 'pushName', 'content'] },
    MessageChangeSeen: { version: 1, personal: ['chat', 'author', 'target', 'change'] },
    ReceiptSeen: { version: 1 },
    // An older group's id begins with the phone of whoever made it.
    GroupChangeSeen: { version: 1, personal: ['id', 'author', 'name', 'description'] },
    ParticipantsSeen: { version: 1, personal: ['id', 'author', 'participants'] },
    GroupNameSeen: { version: 1, personal: ['group', 'name'] },
  },
};
