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

/** Facts about the account, its chats and its people, recorded like traffic. A stream type of its own: earlier versions do not read it. */
export type AccountTrafficEvent =
  | { type: 'ChatMarked'; data: Seen<'chat-marked'> }
  | { type: 'NumberChanged'; data: Seen<'number-changed'> }
  | { type: 'ChatDisappearing'; data: Seen<'disappearing'> };

type AccountFact = Extract<Fact, { kind: 'chat-marked' | 'number-changed' | 'disappearing' }>;
type TrafficFact = Exclude<Fact, AccountFact>;

/** A fact under the id by which it is kept until the journal has it. */
export interface KeptFact<Kind extends Fact = Fact> {
  readonly id: string;
  readonly fact: Kind;
}

export interface RecordFacts<Kind extends Fact = TrafficFact> {
  readonly type: 'RecordFacts';
  readonly facts: readonly KeptFact<Kind>[];
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

function eventOf({ id, fact }: KeptFact<TrafficFact>): TrafficEvent {
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

function accountEventOf({ id, fact }: KeptFact<AccountFact>): AccountTrafficEvent {
  switch (fact.kind) {
    case 'chat-marked':
      return { type: 'ChatMarked', data: { ...fact.data, fact: id } };
    case 'number-changed':
      return { type: 'NumberChanged', data: { ...fact.data, fact: id } };
    case 'disappearing':
      return { type: 'ChatDisappearing', data: { ...fact.data, fact: id } };
  }
}

/** A stream is written once: facts that are handed in again were appended before a crash. */
const recording = <Kind extends Fact, Event extends TrafficEvent | AccountTrafficEvent>(
  toEvent: (kept: KeptFact<Kind>) => Event,
): Decider<Traffic, RecordFacts<Kind>, Event> => ({
  initial: { count: 0, facts: [] },
  decide: ({ facts }, { count }) => (count === 0 ? facts.map(toEvent) : []),
  evolve: ({ count, facts }, { data }) => ({
    count: count + 1,
    facts: data.fact === undefined ? facts : [...facts, data.fact],
  }),
});

export const traffic = recording(eventOf);

/** The first facts of a list that go to the same stream: a stream holds facts of one of both kinds. */
export function firstRun(
  kept: readonly KeptFact[],
):
  | { readonly stream: 'traffic'; readonly facts: readonly KeptFact<TrafficFact>[] }
  | { readonly stream: 'account'; readonly facts: readonly KeptFact<AccountFact>[] } {
  const [first] = kept;
  if (first !== undefined && isOfAccount(first)) return { stream: 'account', facts: leading(kept, isOfAccount) };
  return { stream: 'traffic', facts: leading(kept, isOfTraffic) };
}

const accountKinds: ReadonlySet<Fact['kind']> = new Set<AccountFact['kind']>([
  'chat-marked',
  'number-changed',
  'disappearing',
]);
const isOfAccount = (kept: KeptFact): kept is KeptFact<AccountFact> => accountKinds.has(kept.fact.kind);
const isOfTraffic = (kept: KeptFact): kept is KeptFact<TrafficFact> => !isOfAccount(kept);

function leading<One extends KeptFact>(kept: readonly KeptFact[], belongs: (one: KeptFact) => one is One): One[] {
  const end = kept.findIndex((one) => !belongs(one));
  return kept.slice(0, end === -1 ? kept.length : end).filter(belongs);
}

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

export const accountTrafficStream: StreamType<Traffic, RecordFacts<AccountFact>, AccountTrafficEvent> = {
  name: 'account-traffic',
  decider: recording(accountEventOf),
  ends: true,
  events: {
    ChatMarked: { version: 1, personal: ['chat'] },
    NumberChanged: { version: 1, personal: ['previousPhone', 'phone', 'lid'] },
    ChatDisappearing: { version: 1, personal: ['chat', 'author'] },
  },
};
