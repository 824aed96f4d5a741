import { type BinaryNode, proto } from '@whiskeysockets/baileys';
import { dueChange, missingMs } from '../../../session-data/retention.ts';
import type { Change, SessionData, Stored } from '../../../session-data/session-data-store.ts';
import type { Clock } from '@messaging-gateway/runtime';
import type { EngineListener, Fact, FactKeeper, MissingReason } from '../../engine.ts';
import { keptId, nameOfMessage } from '../wire-format/message-names.ts';
import { isEarlyChange } from './early-changes.ts';
import { envelopeOf, type MessageEnvelope, placeOf, type Receiver } from './incoming-facts.ts';

/** A message that arrived without readable content, as it is stored until the content is there. */
interface Missing {
  /** When it arrived, milliseconds since 1970. */
  readonly at: number;
  /** When it is published without content, milliseconds since 1970. */
  readonly due: number;
  readonly reason: MissingReason;
  /** Name of the message among those that arrived (`taken`). */
  readonly name: string;
  readonly envelope: MessageEnvelope;
  /** Names the message to the phone. */
  readonly key: proto.IMessageKey;
  /** Set once it was published without content. */
  readonly published?: true;
}

/** The content of a message that was missing. */
export interface Arrival {
  /** When the message arrived, milliseconds since 1970. */
  readonly at: number;
  /** It was published without content before. */
  readonly recovered: boolean;
}

export interface LateContentParts {
  readonly data: SessionData;
  readonly facts: FactKeeper;
  readonly clock: Pick<Clock, 'now'>;
  readonly listener: Pick<EngineListener, 'unreadable' | 'ignored'>;
  /** Requests messages from the phone. @returns whether there is a connection for it */
  readonly request: (keys: readonly proto.IMessageKey[]) => boolean;
  /** The session data cannot be written. */
  readonly failed: (error: Error) => void;
}

/** How long the content is waited for before the message is published without it, milliseconds. */
const waitMs = 5_000;
/** The same for a message that cannot be decrypted and that its author is asked for again. */
const retriesMs = 35_000;
/** After so many requests the library gives up. */
const maxRetries = 5;
/** Messages that are published, or requested, together. */
const atOnce = 100;
/** How long the first of several requests to the phone waits for others, milliseconds. */
const requestMs = 100;
/** Content that was requested before a restart, in this time, is requested again, milliseconds. */
const restartMs = 3_600_000;
/** Type of `unavailable` of messages of bots, which are ignored. */
export const botContent = 'bot_unavailable_fanout';
/** Type of `unavailable` of messages that the phone does not hand over. */
const hostedContent = 'hosted_unavailable_fanout';

/**
 * Messages that arrive without content: their content follows, or has to be requested from the phone. Each is on the disk
 * before the network is told that it has arrived. The content is waited for; then the message is published without it, and
 * content that comes later replaces it.
 *
 * @see docs/decisions/0830-messages-without-content.md
 */
export class LateContent {
  readonly #parts: LateContentParts;
  /** Not published yet, by id of the row. */
  readonly #waiting = new Map<string, Missing>();
  /** Ids of the last messages that were published without content: a stanza under way may not have seen that. */
  readonly #recent = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends, milliseconds since 1970. */
  #timerEnd = Infinity;
  #requests: proto.IMessageKey[] = [];
  #requestTimer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(parts: LateContentParts) {
    this.#parts = parts;
  }

  /** Continues with what is on the disk: an earlier process may have left it. Does nothing while it runs. */
  async start(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let after: string | undefined = ''; after !== undefined && this.#isRunning;) {
      const entries: readonly Stored[] = await this.#parts.data.scan('missing', after, atOnce);
      for (const { id, value } of entries) {
        if (isEarlyChange(id)) continue;
        const missing = readMissing(value);
        if (missing.published !== true && !this.#recent.has(id)) this.#waiting.set(id, missing);
        if (missing.at > this.#parts.clock.now() - restartMs) this.#request(missing);
      }
      after = entries.length < atOnce ? undefined : entries.at(-1)?.id;
    }
    this.#armForNext();
  }

  /** Publishes nothing more; what waits stays on the disk. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    this.#timerEnd = Infinity;
  }

  /** Sends the requests that were made while there was no connection. */
  connected(): void {
    this.#flush();
  }

  /** Stores a message without content before the network is told that it has arrived. Undefined if it has content, or is a bot's. */
  expect(stanza: BinaryNode, receiver: Receiver): Promise<void> | undefined {
    const parts = Array.isArray(stanza.content) ? stanza.content : [];
    if (parts.some(({ tag }) => tag === 'enc' || tag === 'plaintext')) return undefined;
    const type = parts.find(({ tag }) => tag === 'unavailable')?.attrs['type'] ?? '';
    if (type === botContent) return undefined;
    const reason = type.startsWith('view_once') ? 'viewOnce' : 'notDelivered';
    return this.#note(stanza, reason, receiver, { isLast: true, isHosted: type === hostedContent });
  }

  /** Stores a message that could not be decrypted, before its author is asked for it again. */
  async undecryptable(stanza: BinaryNode, receiver: Receiver): Promise<void> {
    const count = Array.isArray(stanza.content)
      ? Math.max(...stanza.content.map(({ attrs }) => Number(attrs['count'] ?? 0)))
      : 0;
    const id = rowId(stanza);
    const isLast = count >= maxRetries;
    await this.#note(stanza, 'notDecrypted', receiver, { isLast, isHosted: false });
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !isLast) return;
    const due = this.#parts.clock.now();
    this.#waiting.set(id, { ...waiting, due });
    this.#arm(due);
  }

  /** @param isLast the content will not come as a stanza any more: what is no message counts as unreadable now */
  async #note(
    stanza: BinaryNode,
    reason: MissingReason,
    receiver: Receiver,
    { isLast, isHosted }: { readonly isLast: boolean; readonly isHosted: boolean },
  ): Promise<void> {
    const { data, clock, listener } = this.#parts;
    const id = rowId(stanza);
    if (this.#waiting.has(id)) return;
    const change = changeIn(stanza);
    if (change === 'peer') return listener.ignored('peer');
    if (change !== undefined) return isLast ? listener.unreadable(change) : undefined;
    const envelope = await envelopeOf(stanza, receiver);
    if (envelope === undefined) return listener.ignored(placeOf(stanza, receiver.self));
    // The owner sees on the phone what the owner wrote there.
    if (envelope.fromMe) return isLast ? listener.unreadable(reason) : undefined;
    const name = nameOfMessage(stanza);
    const [before] = await data.read('taken', [name]);
    if (before !== undefined) return;
    const at = clock.now();
    const due = at + (reason === 'notDecrypted' ? retriesMs : waitMs);
    const key = isHosted ? {} : keyOf(stanza);
    const missing: Missing = { at, due, reason, name, envelope, key };
    this.#waiting.set(id, missing);
    await this.#commit([rowOf(id, missing)]);
    this.#arm(due);
    if (reason !== 'notDecrypted') this.#request(missing);
  }

  /**
   * The content of a message comes as a stanza of its own.
   *
   * @param isPublished the message was published without content before
   */
  arrived(stanza: BinaryNode, isPublished: boolean): { arrival: Arrival | undefined; changes: readonly Change[] } {
    if (this.#waiting.size + this.#recent.size === 0 && !isPublished) return { arrival: undefined, changes: [] };
    const id = rowId(stanza);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined && !isPublished && !this.#recent.has(id)) return { arrival: undefined, changes: [] };
    this.#waiting.delete(id);
    const at = waiting?.at ?? this.#parts.clock.now();
    return { arrival: { at, recovered: waiting === undefined }, changes: [removal(id)] };
  }

  /** The phone hands over messages that were requested. Only those that are missing are taken. */
  async handedOver(response: proto.Message.IPeerDataOperationRequestResponseMessage): Promise<readonly HandedOver[]> {
    const infos = (response.peerDataOperationResult ?? []).flatMap(({ placeholderMessageResendResponse: resent }) =>
      infoIn(resent?.webMessageInfoBytes),
    );
    const found = await Promise.all(infos.map((info) => this.#handedOver(info)));
    return found.filter((one) => one !== undefined);
  }

  async #handedOver({ key, message }: proto.IWebMessageInfo): Promise<HandedOver | undefined> {
    if (!key?.id || !message) return undefined;
    const prefix = `${keptId(key.id)} `;
    const rows = (await this.#parts.data.scan('missing', prefix, atOnce)).filter(({ id }) => id.startsWith(prefix));
    const row =
      rows.find(({ value }) => readMissing(value).key.remoteJid === key.remoteJid) ??
      (rows.length === 1 ? rows[0] : undefined);
    if (row === undefined) return undefined;
    const missing = this.#waiting.get(row.id) ?? readMissing(row.value);
    const recovered = missing.published === true || this.#recent.has(row.id);
    this.#waiting.delete(row.id);
    return {
      message,
      envelope: missing.envelope,
      name: missing.name,
      arrival: { at: missing.at, recovered },
      changes: [removal(row.id)],
    };
  }

  /** Publishes at a time, or earlier if that is planned already. */
  #arm(due: number): void {
    if (!this.#isRunning || due >= this.#timerEnd) return;
    clearTimeout(this.#timer);
    this.#timerEnd = due;
    const publish = (): void => {
      this.#timerEnd = Infinity;
      void this.#publish();
    };
    this.#timer = setTimeout(publish, Math.max(0, due - this.#parts.clock.now())).unref();
  }

  #armForNext(): void {
    let next = Infinity;
    for (const { due } of this.#waiting.values()) next = Math.min(next, due);
    if (next < Infinity) this.#arm(next);
  }

  /** Publishes messages whose content did not come in time. */
  async #publish(): Promise<void> {
    const { facts, clock, listener } = this.#parts;
    const now = clock.now();
    const due = [...this.#waiting].filter(([, missing]) => missing.due <= now).slice(0, atOnce);
    if (due.length === 0) return this.#armForNext();
    for (const [id] of due) {
      this.#waiting.delete(id);
      this.#recent.add(id);
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= 10 * atOnce) break;
      this.#recent.delete(oldest);
    }
    const keeping = facts.keep(due.map(([, missing]) => factOf(missing)));
    const rows = due.flatMap(([id, missing]) => [
      rowOf(id, { ...missing, published: true }),
      { table: 'taken' as const, id: missing.name, value: Buffer.from(JSON.stringify({ at: now, missing: true })) },
      dueChange('taken', [missing.name], now),
    ]);
    try {
      await this.#commit([...keeping.changes(), ...rows]);
    } catch {
      return; // on the disk as before: the next start publishes them
    }
    keeping.kept();
    for (const [, missing] of due) {
      listener.unreadable(missing.reason);
      if (missing.reason === 'notDecrypted') this.#request(missing);
    }
    this.#armForNext();
  }

  /** Requests the content from the phone, together with that of others. */
  #request({ key, reason, at }: Missing): void {
    if (!key.id || reason === 'viewOnce' || at < this.#parts.clock.now() - missingMs) return;
    this.#requests.push(key);
    this.#requestTimer ??= setTimeout(() => this.#flush(), requestMs).unref();
  }

  /** Sends the requests that are waiting; without a connection they go on waiting. */
  #flush(): void {
    clearTimeout(this.#requestTimer);
    this.#requestTimer = undefined;
    while (this.#requests.length > 0 && this.#parts.request(this.#requests.slice(0, atOnce)))
      this.#requests.splice(0, atOnce);
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    try {
      await this.#parts.data.commit(changes);
    } catch (error) {
      this.#parts.failed(error as Error);
      throw error;
    }
  }
}

/** A message that the phone handed over. */
export interface HandedOver {
  readonly message: proto.IMessage;
  readonly envelope: MessageEnvelope;
  readonly name: string;
  readonly arrival: Arrival;
  readonly changes: readonly Change[];
}

function infoIn(bytes: Uint8Array | null | undefined): proto.IWebMessageInfo[] {
  try {
    return bytes?.length ? [proto.WebMessageInfo.decode(bytes)] : [];
  } catch {
    return [];
  }
}

const rowOf = (id: string, missing: Missing): Change => ({
  table: 'missing',
  id,
  value: Buffer.from(JSON.stringify(missing)),
});
const removal = (id: string): Change => ({ table: 'missing', id, value: undefined });
const readMissing = (value: Buffer): Missing => JSON.parse(value.toString()) as Missing;

/** By id of the message, so that the phone's answer finds it, and apart from messages of others under the same id. */
const rowId = (stanza: BinaryNode): string =>
  `${keptId(stanza.attrs['id'] ?? '')} ${nameOfMessage(stanza).slice('message-'.length, 'message-'.length + 8)}`;

/** Names a message to the phone. */
function keyOf({ attrs: { from, id, participant } }: BinaryNode): proto.IMessageKey {
  return {
    remoteJid: from ?? '',
    fromMe: false,
    id: id ?? '',
    ...(participant !== undefined && { participant }),
  };
}

const factOf = ({ at, reason, envelope }: Missing): Fact => ({
  kind: 'message',
  arrivedAt: at,
  data: {
    ...envelope,
    content: {
      type: 'unsupported',
      content: { kind: 'unavailable', reason, ...(reason === 'viewOnce' && { viewOnce: true }) },
    },
  },
});

/** The change that a stanza announces, which is no message of its own; undefined if it may be a message. */
function changeIn({ attrs, content }: BinaryNode): 'peer' | 'edit' | 'reaction' | 'vote' | undefined {
  if (attrs['category'] === 'peer') return 'peer';
  if (attrs['type'] === 'reaction') return 'reaction';
  if (attrs['edit'] !== undefined && attrs['edit'] !== '0') return 'edit';
  const meta = Array.isArray(content) ? content.find(({ tag }) => tag === 'meta') : undefined;
  return meta?.attrs['polltype'] === 'vote' ? 'vote' : undefined;
}
