import { encodeWAMessage, proto, type BinaryNode } from '@whiskeysockets/baileys';
import { dueChange } from '../../../session-data/retention.ts';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import type { EngineListener, Fact, FactKeeper } from '../../engine.ts';
import type { Clock } from '@messaging-gateway/runtime';
import { addressesOf, isSelf, type Self } from '../wire-format/addresses.ts';
import { hashOf, type Decrypted, type RepositoryParts } from '../signal/durable-repository.ts';
import { decodeMessage, isForLibrary } from './incoming-content.ts';
import { timerChanges } from '../wire-format/chat-timers.ts';
import { groupFacts } from './group-facts.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { senderKeyChanges } from '../groups/sender-key.ts';
import { mappingChanges, numberFacts } from './number-changes.ts';
import type { EarlyChanges } from './early-changes.ts';
import { envelopeOf, outcomeIn, placeOf, receiptFacts, type MessageEnvelope, type Receiver } from './incoming-facts.ts';
import { botContent, type Arrival, type LateContent } from './late-content.ts';
import { nameOfMessage } from '../wire-format/message-names.ts';
import { secretChanges } from '../wire-format/message-secrets.ts';
import { pollChanges } from '../wire-format/polls.ts';
import type { Addition, SignalState } from '../signal/signal-state.ts';

export interface InboundParts {
  readonly data: SessionData;
  readonly state: SignalState;
  readonly facts: FactKeeper;
  readonly groups: GroupCache;
  readonly clock: Pick<Clock, 'now'>;
  readonly self: () => Self;
  readonly late: LateContent;
  readonly early: EarlyChanges;
  readonly listener: Pick<EngineListener, 'unreadable' | 'ignored'>;
  readonly failed: (error: Error) => void;
}

const receiptMs = 12;

/** A ciphertext that was decrypted. With its plaintext when the library must see that again. */
interface Taken {
  readonly at: number;
  readonly plaintext?: string;
  /** Of a message: it was published without content. */
  readonly missing?: boolean;
}

/** Takes facts from one connection: they are on the disk before the network hears that they have arrived. */
export class Inbound implements RepositoryParts {
  readonly #parts: InboundParts;
  readonly #stanzas = new WeakMap<Uint8Array, BinaryNode>();
  /** Stanzas of messages that were taken before, in another encryption. */
  readonly #known = new WeakSet<BinaryNode>();
  /** Stanzas that have an outcome. */
  readonly #settled = new WeakSet<BinaryNode>();
  /** Stanzas of messages that were published without content. */
  readonly #missing = new WeakSet<BinaryNode>();

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  get state(): SignalState {
    return this.#parts.state;
  }

  failed(error: Error): void {
    this.#parts.failed(error);
  }

  /**
   * Remembers which stanza a ciphertext belongs to: the library hands on the ciphertext alone. A message without content is
   * on the disk when it resolves.
   */
  expect(stanza: BinaryNode): Promise<void> | undefined {
    const parts = Array.isArray(stanza.content) ? stanza.content : [];
    for (const { tag, content } of parts)
      if (tag === 'enc' && content instanceof Uint8Array) this.#stanzas.set(content, stanza);
    const stored = this.#parts.late.expect(stanza, this.receiver());
    if (stored !== undefined) this.#settled.add(stanza);
    return stored;
  }

  /** The library is done with a stanza: whatever it did not decrypt, and did not ask for again, has no outcome. */
  handled(stanza: BinaryNode): void {
    if (this.#settled.has(stanza)) return;
    const parts = Array.isArray(stanza.content) ? stanza.content : [];
    const isBots = parts.some(({ attrs }) => attrs['type'] === 'msmsg' || attrs['type'] === botContent);
    this.#parts.listener.ignored(isBots ? 'bot' : 'malformed stanza');
  }

  /** A message could not be decrypted: on the disk when it resolves. */
  async undecryptable(ciphertext: Uint8Array): Promise<void> {
    const stanza = this.#stanzas.get(ciphertext);
    if (stanza === undefined) return;
    this.#settled.add(stanza);
    if (this.#known.has(stanza) || this.#missing.has(stanza)) return;
    await this.#parts.late.undecryptable(stanza, this.receiver());
  }

  async keep({ ciphertext, plaintext }: Decrypted): Promise<{ changes: Addition; done(): void }> {
    const message = decoded(plaintext);
    const stanza = this.#stanzas.get(ciphertext);
    if (stanza !== undefined) this.#settled.add(stanza);
    const isNew = stanza !== undefined && !this.#known.has(stanza);
    const at = this.#parts.clock.now();
    const read = isNew && message !== undefined ? await this.#outcome(stanza, message, at) : nothingRead;
    const { facts } = read;
    const taken: Taken = {
      at,
      ...(message !== undefined && isForLibrary(message) && { plaintext: Buffer.from(plaintext).toString('base64') }),
    };
    const hash = hashOf(ciphertext);
    const names = isNew && facts.length > 0 ? [nameOfMessage(stanza)] : [];
    const marks = [
      mark(hash, taken),
      ...names.map((name) => mark(name, { at })),
      dueChange('taken', [hash, ...names], at),
    ];
    const timers = timerChanges(facts, this.#parts.state);
    const keeping = this.#parts.facts.keep(facts);
    return { changes: () => [...keeping.changes(), ...marks, ...timers, ...read.changes], done: () => keeping.kept() };
  }

  /** Facts of a decrypted stanza, and what is stored with them. */
  async #outcome(stanza: BinaryNode, message: proto.IMessage, at: number): Promise<Read> {
    const receiver = this.receiver();
    const response = message.protocolMessage?.peerDataOperationRequestResponseMessage;
    if (response && isSelf(stanza.attrs['from'], receiver.self)) return this.#handedOver(response, at);
    const envelope = await envelopeOf(stanza, receiver);
    if (envelope === undefined) {
      this.#parts.listener.ignored(placeOf(stanza, receiver.self));
      return nothingRead;
    }
    const { facts, changes } = await this.#read(envelope, message, at);
    const late = this.#parts.late.arrived(stanza, this.#missing.has(stanza));
    return { facts: facts.map((fact) => arrived(fact, late.arrival)), changes: [...changes, ...late.changes] };
  }

  /** Facts of messages that came without content, and whose content the phone handed over. */
  async #handedOver(response: proto.Message.IPeerDataOperationRequestResponseMessage, at: number): Promise<Read> {
    const found = await this.#parts.late.handedOver(response);
    const read = await Promise.all(
      found.map(async ({ message, envelope, name, arrival, changes }): Promise<Read> => {
        const { facts, changes: stored } = await this.#read(envelope, message, at);
        const marks = [mark(name, { at }), dueChange('taken', [name], at)];
        return { facts: facts.map((fact) => arrived(fact, arrival)), changes: [...changes, ...marks, ...stored] };
      }),
    );
    return { facts: read.flatMap(({ facts }) => facts), changes: read.flatMap(({ changes }) => changes) };
  }

  async #read(envelope: MessageEnvelope, message: proto.IMessage, at: number): Promise<Read> {
    const { listener, early } = this.#parts;
    const outcome = await outcomeIn(envelope, message, this.receiver());
    if ('facts' in outcome) return this.#readFacts(outcome.facts, message, at);
    if ('ignored' in outcome) listener.ignored(outcome.ignored);
    else if (outcome.waitsFor === undefined) listener.unreadable(outcome.unreadable);
    else return { facts: [], changes: early.keep(outcome.waitsFor, message, { envelope, reason: outcome.unreadable }) };
    return nothingRead;
  }

  /** What later changes of a message are read with is stored, and changes that came before it are read. */
  async #readFacts(facts: readonly Fact[], message: proto.IMessage, at: number): Promise<Read> {
    const [fact] = facts;
    if (fact?.kind !== 'message') return { facts, changes: [] };
    const { networkMessageId, author } = fact.data;
    const authors = addressesOf(author);
    const stored = [
      ...secretChanges(networkMessageId, message, authors, at),
      ...(await this.#pollsIn(facts, message, at)),
    ];
    const { changes: early, removals } = await this.#parts.early.take(networkMessageId);
    const secret = message.messageContextInfo?.messageSecret ?? new Uint8Array();
    const outcomes = await Promise.all(
      early.map((change) =>
        outcomeIn(change.envelope, proto.Message.decode(Buffer.from(change.message, 'base64')), this.receiver(), {
          secret,
          authors,
        }),
      ),
    );
    const changed = outcomes.flatMap((outcome) => ('facts' in outcome ? outcome.facts : []));
    return { facts: [...facts, ...changed], changes: [...stored, ...removals] };
  }

  /** A poll under the id of one that is known takes nobody's votes: whoever sees the id could make it. */
  async #pollsIn(facts: readonly Fact[], message: proto.IMessage, at: number): Promise<readonly Change[]> {
    const polls = facts.flatMap((fact) =>
      fact.kind === 'message'
        ? pollChanges(fact.data.networkMessageId, message, addressesOf(fact.data.author), at)
        : [],
    );
    if (polls.length === 0) return [];
    const known = await this.#parts.data.read(
      'poll',
      polls.map(({ id }) => id),
    );
    const unknown = polls.filter((_, index) => known[index] === undefined);
    return unknown.flatMap((poll) => [poll, dueChange('poll', [poll.id], at)]);
  }

  /**
   * An empty message for what is kept already: the library confirms it and has nothing to tell. A message that was
   * encrypted anew is read again, since the ratchet moves on, and not told again.
   */
  async repeated(ciphertext: Uint8Array): Promise<Uint8Array | undefined> {
    const stanza = this.#stanzas.get(ciphertext);
    const names = stanza === undefined ? [] : [nameOfMessage(stanza)];
    const [before, named] = await this.#parts.data.read('taken', [hashOf(ciphertext), ...names]);
    if (stanza !== undefined && named !== undefined) {
      const { missing } = JSON.parse(named.toString()) as Taken;
      (missing === true ? this.#missing : this.#known).add(stanza);
    }
    if (before === undefined) return undefined;
    if (stanza !== undefined) this.#settled.add(stanza);
    const { plaintext } = JSON.parse(before.toString()) as Taken;
    return plaintext === undefined ? encodeWAMessage({}) : Buffer.from(plaintext, 'base64');
  }

  /** Receipts come in numbers and may wait a moment for each other. */
  async receipt(stanza: BinaryNode): Promise<void> {
    const facts = await receiptFacts(stanza, this.receiver());
    // A request to send a message again is answered by the library.
    if (facts.length === 0 && stanza.attrs['type'] !== 'retry') this.#parts.listener.ignored('receipt');
    await this.#keepNow(facts, receiptMs);
  }

  /** The group is asked for again when it is needed. */
  async group(stanza: BinaryNode): Promise<void> {
    const { data, clock, groups } = this.#parts;
    const { from = '', id = '' } = stanza.attrs;
    const name = hashOf(Buffer.from(`group ${from} ${id}`));
    const [before] = await data.read('taken', [name]);
    if (before !== undefined) return;
    const facts = await groupFacts(stanza, this.receiver());
    const numbers = await numberFacts(stanza, this.receiver());
    const at = clock.now();
    await this.#keepNow([...facts, ...numbers], 0, [
      mark(name, { at }),
      dueChange('taken', [name], at),
      ...groups.forget(from),
      ...senderKeyChanges(from, facts, this.state),
      ...mappingChanges(numbers, this.state),
    ]);
  }

  /** Takes a notification about somebody in the address book. */
  async contact(stanza: BinaryNode): Promise<void> {
    const facts = await numberFacts(stanza, this.receiver());
    await this.#keepNow(facts, 0, mappingChanges(facts, this.state));
  }

  /** Keeps what the owner marked in the account's state. A failure closes the connection. */
  async marked(reads: readonly (() => Promise<Fact[]>)[]): Promise<void> {
    const facts = (await Promise.all(reads.map((read) => read()))).flat();
    await this.#keepNow(facts).catch(() => undefined);
  }

  /** Takes in the history that the phone handed over; read bit by bit, since there can be thousands. */
  async history(reads: readonly (() => Promise<Fact[]>)[]): Promise<void> {
    for (let from = 0; from < reads.length; from += 50) {
      const facts = await Promise.all(reads.slice(from, from + 50).map((read) => read()));
      await this.#keepNow(facts.flat()).catch(() => undefined);
    }
  }

  async #keepNow(facts: readonly Fact[], patienceMs = 0, more: readonly Change[] = []): Promise<void> {
    if (facts.length + more.length === 0) return;
    const keeping = this.#parts.facts.keep(facts);
    try {
      const timers = timerChanges(facts, this.#parts.state);
      await this.#parts.data.commit([...keeping.changes(), ...timers, ...more], patienceMs);
    } catch (error) {
      this.failed(error as Error);
      throw error;
    }
    keeping.kept();
  }

  receiver(): Receiver {
    const { state, data, groups, clock } = this.#parts;
    return { self: this.#parts.self(), state, data, groups, now: clock.now() };
  }
}

/** Facts of a stanza, and the changes that are committed with them. */
interface Read {
  readonly facts: readonly Fact[];
  readonly changes: readonly Change[];
}
const nothingRead: Read = { facts: [], changes: [] };

/** A message whose content was missing keeps its place in its chat. */
function arrived(fact: Fact, arrival: Arrival | undefined): Fact {
  if (fact.kind !== 'message' || arrival === undefined) return fact;
  if (!arrival.recovered) return { ...fact, arrivedAt: arrival.at };
  return { ...fact, data: { ...fact.data, recovered: true } };
}

const mark = (id: string, taken: Taken): Change => ({ table: 'taken', id, value: Buffer.from(JSON.stringify(taken)) });

function decoded(plaintext: Uint8Array): proto.IMessage | undefined {
  try {
    return decodeMessage(plaintext);
  } catch {
    return undefined;
  }
}
