import { encodeWAMessage, type BinaryNode, type proto } from '@whiskeysockets/baileys';
import { dueChange } from '../../../session-data/retention.ts';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import type { Fact, FactKeeper } from '../../engine.ts';
import type { Clock } from '@messaging-gateway/runtime';
import { addressesOf, type Self } from '../wire-format/addresses.ts';
import { hashOf, type Decrypted, type RepositoryParts } from '../signal/durable-repository.ts';
import { decodeMessage, isForLibrary } from './incoming-content.ts';
import { timerChanges } from '../wire-format/chat-timers.ts';
import { groupFacts } from './group-facts.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { senderKeyChanges } from '../groups/sender-key.ts';
import { messageFacts, receiptFacts, type Receiver } from './incoming-facts.ts';
import { nameOfMessage } from '../wire-format/message-names.ts';
import { pollChanges } from '../wire-format/polls.ts';
import type { Addition, SignalState } from '../signal/signal-state.ts';

export interface InboundParts {
  readonly data: SessionData;
  readonly state: SignalState;
  readonly facts: FactKeeper;
  readonly groups: GroupCache;
  readonly clock: Clock;
  readonly self: () => Self;
  readonly failed: (error: Error) => void;
}

const receiptMs = 12;

/** A ciphertext that was decrypted. With its plaintext when the library must see that again. */
interface Taken {
  readonly at: number;
  readonly plaintext?: string;
}

/** Takes facts from one connection: they are on the disk before the network hears that they have arrived. */
export class Inbound implements RepositoryParts {
  readonly #parts: InboundParts;
  readonly #stanzas = new WeakMap<Uint8Array, BinaryNode>();
  /** Stanzas of messages that were taken before, in another encryption. */
  readonly #known = new WeakSet<BinaryNode>();

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  get state(): SignalState {
    return this.#parts.state;
  }

  failed(error: Error): void {
    this.#parts.failed(error);
  }

  /** Remembers which stanza a ciphertext belongs to: the library hands on the ciphertext alone. */
  expect(stanza: BinaryNode): void {
    if (!Array.isArray(stanza.content)) return;
    for (const { tag, content } of stanza.content)
      if (tag === 'enc' && content instanceof Uint8Array) this.#stanzas.set(content, stanza);
  }

  async keep({ ciphertext, plaintext }: Decrypted): Promise<{ changes: Addition; done(): void }> {
    const message = decoded(plaintext);
    const stanza = this.#stanzas.get(ciphertext);
    const isNew = stanza !== undefined && !this.#known.has(stanza);
    const facts = isNew && message !== undefined ? await messageFacts(stanza, message, this.receiver()) : [];
    const at = this.#parts.clock.now();
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
    const polls = message === undefined ? [] : await this.#pollsIn(facts, message, at);
    const keeping = this.#parts.facts.keep(facts);
    return { changes: () => [...keeping.changes(), ...marks, ...timers, ...polls], done: () => keeping.kept() };
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
    if (stanza !== undefined && named !== undefined) this.#known.add(stanza);
    if (before === undefined) return undefined;
    const { plaintext } = JSON.parse(before.toString()) as Taken;
    return plaintext === undefined ? encodeWAMessage({}) : Buffer.from(plaintext, 'base64');
  }

  /** Receipts come in numbers and may wait a moment for each other. */
  receipt(stanza: BinaryNode): Promise<void> {
    return this.#keepNow(receiptFacts(stanza, this.receiver()), receiptMs);
  }

  /** The group is asked for again when it is needed. */
  async group(stanza: BinaryNode): Promise<void> {
    const { data, clock, groups } = this.#parts;
    const { from = '', id = '' } = stanza.attrs;
    const name = hashOf(Buffer.from(`group ${from} ${id}`));
    const [before] = await data.read('taken', [name]);
    if (before !== undefined) return;
    const facts = await groupFacts(stanza, this.receiver());
    const at = clock.now();
    await this.#keepNow(facts, 0, [
      mark(name, { at }),
      dueChange('taken', [name], at),
      ...groups.forget(from),
      ...senderKeyChanges(from, facts, this.state),
    ]);
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
    const { state, data, groups } = this.#parts;
    return { self: this.#parts.self(), state, data, groups };
  }
}

const mark = (id: string, taken: Taken): Change => ({ table: 'taken', id, value: Buffer.from(JSON.stringify(taken)) });

function decoded(plaintext: Uint8Array): proto.IMessage | undefined {
  try {
    return decodeMessage(plaintext);
  } catch {
    return undefined;
  }
}
