import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { Fact } from '../engine/engine.ts';
import { timeOf } from './fact-ids.ts';

/** The notes of the journal on a fact beside what it tells; earlier versions made none. */
interface Noted {
  /** The id under which it was kept. */
  readonly fact?: string;
  /** Of a message: when it came, milliseconds since 1970. The journal can take it much later: after a kill, or an outage. */
  readonly arrivedAt?: number;
}
type Seen<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>['data'] & Noted;

/** Facts from the network, many to a stream; a stream is one append (see `recorder.ts`). */
export type TrafficEvent =
  | { type: 'MessageSeen'; data: Seen<'message'> }
  | { type: 'MessageChangeSeen'; data: Seen<'change'> }
  | { type: 'ReceiptSeen'; data: Seen<'receipt'> }
  | { type: 'GroupChangeSeen'; data: Seen<'group'> }
  | { type: 'ParticipantsSeen'; data: Seen<'participants'> }
  | { type: 'GroupNameSeen'; data: Seen<'group-named'> };

/** A fact under the id by which it is kept until the journal has it. */
export interface KeptFact {
  readonly id: string;
  readonly fact: Fact;
}

export interface RecordFacts {
  readonly type: 'RecordFacts';
  readonly facts: readonly KeptFact[];
}

/** The state of the stream of facts. */
export interface Traffic {
  readonly count: number;
  /** Ids of its facts; none of earlier versions. */
  readonly facts: readonly string[];
}

/** The fact that is told to everyone. */
export function factOf<Data extends Noted>(data: Data): Omit<Data, keyof Noted> {
  const { fact: _fact, arrivedAt: _arrivedAt, ...told } = data;
  return told;
}

function eventOf({ id, fact }: KeptFact): TrafficEvent {
  switch (fact.kind) {
    case 'message':
      return { type: 'MessageSeen', data: { ...fact.data, fact: id, arrivedAt: fact.arrivedAt ?? timeOf(id) } };
    case 'change':
      return { type: 'MessageChangeSeen', data: { ...fact.data, fact: id } };
    case 'receipt':
      return { type: 'ReceiptSeen', data: { ...fact.data, fact: id } };
    case 'group':
      return { type: 'GroupChangeSeen', data: { ...fact.data, fact: id } };
    case 'participants':
      return { type: 'ParticipantsSeen', data: { ...fact.data, fact: id } };
    case 'group-named':
      return { type: 'GroupNameSeen', data: { ...fact.data, fact: id } };
  }
}

/** A stream is written once: what is handed in again was appended before a crash. */
export const traffic: Decider<Traffic, RecordFacts, TrafficEvent> = {
  initial: { count: 0, facts: [] },
  decide: ({ facts }, { count }) => (count === 0 ? facts.map(eventOf) : []),
  evolve: ({ count, facts }, { data }) => ({
    count: count + 1,
    facts: data.fact === undefined ? facts : [...facts, data.fact],
  }),
};

/** The kept facts that the stream holds. Earlier versions wrote no ids, and the first facts of what was kept. */
export function recordedOf(kept: readonly KeptFact[], { count, facts }: Traffic): readonly KeptFact[] {
  const recorded = new Set(facts);
  return kept.filter(({ id }, index) => recorded.has(id) || index < count - recorded.size);
}

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
