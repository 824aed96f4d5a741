import { createHash } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { Clock } from '@messaging-gateway/runtime';
import type { Change, SessionData, Stored } from '../../../session-data/session-data-store.ts';
import type { EngineListener } from '../../engine.ts';
import type { UnreadableChange } from './incoming-changes.ts';
import type { MessageEnvelope } from './incoming-facts.ts';

/** A change that was encrypted with the secret of a message that is unknown here. */
export interface EarlyChange {
  /** When it arrived, milliseconds since 1970. */
  readonly at: number;
  readonly reason: UnreadableChange['unreadable'];
  readonly envelope: MessageEnvelope;
  /** The message that makes the change, encoded, base64. */
  readonly message: string;
}

interface EarlyChangesParts {
  readonly data: SessionData;
  readonly clock: Pick<Clock, 'now'>;
  readonly listener: Pick<EngineListener, 'unreadable'>;
}

/** A change whose message has not arrived after so long counts as unreadable, milliseconds; it is applied if the message arrives later. */
const waitMs = 5_000;
/** Messages whose changes wait, at most: a stranger can send any number. The oldest give way. */
const maxWaiting = 1_000;
/** Changes of one message that wait, at most: each could be the one that can be read. */
const maxOfMessage = 20;
const maxBytes = 256 * 1024;
const atOnce = 100;

/** First word of the ids of rows; other rows of the table have two words. */
const changePrefix = 'change ';
export const isEarlyChange = (id: string): boolean => id.startsWith(changePrefix) && id.split(' ').length === 3;

/**
 * Encrypted changes that arrive before the message that they change: its author may have been asked for it again. They
 * wait on the disk and are read when the message is there.
 */
export class EarlyChanges {
  readonly #parts: EarlyChangesParts;
  /** Ids of rows by id of the message. */
  readonly #waiting = new Map<string, string[]>();

  constructor(parts: EarlyChangesParts) {
    this.#parts = parts;
  }

  /** Continues with what an earlier process left. */
  async start(): Promise<void> {
    this.#waiting.clear();
    for (let after: string | undefined = changePrefix; after !== undefined;) {
      const entries: readonly Stored[] = await this.#parts.data.scan('missing', after, atOnce);
      const rows = entries.filter(({ id }) => id.startsWith(changePrefix));
      for (const { id } of rows) if (isEarlyChange(id)) this.#add(id);
      after = rows.length < atOnce ? undefined : rows.at(-1)?.id;
    }
  }

  /** Keeps a change until its message arrives. @returns what is to be committed with its stanza */
  keep(target: string, message: proto.IMessage, { envelope, reason }: Omit<EarlyChange, 'at' | 'message'>): Change[] {
    const { clock, listener } = this.#parts;
    const encoded = proto.Message.encode(message).finish();
    if (encoded.length > maxBytes) {
      listener.unreadable(reason);
      return [];
    }
    const hash = createHash('sha256').update(encoded).digest('hex').slice(0, 8);
    const id = `${changePrefix}${target} ${hash}`;
    const givenWay = this.#add(id);
    setTimeout(() => {
      if (this.#waiting.get(target)?.includes(id) === true) listener.unreadable(reason);
    }, waitMs).unref();
    const change: EarlyChange = {
      at: clock.now(),
      reason,
      envelope,
      message: Buffer.from(encoded).toString('base64'),
    };
    return [...givenWay.map(removal), { table: 'missing', id, value: Buffer.from(JSON.stringify(change)) }];
  }

  /** Takes the changes that wait for a message. @returns them, oldest first, and their removal */
  async take(networkMessageId: string): Promise<{ changes: readonly EarlyChange[]; removals: readonly Change[] }> {
    const ids = this.#waiting.get(networkMessageId);
    if (ids === undefined) return { changes: [], removals: [] };
    this.#waiting.delete(networkMessageId);
    const rows = await this.#parts.data.read('missing', ids);
    return {
      changes: rows
        .flatMap((row) => (row === undefined ? [] : [JSON.parse(row.toString()) as EarlyChange]))
        .sort((one, other) => one.at - other.at),
      removals: ids.map(removal),
    };
  }

  /** @returns ids of rows that give way */
  #add(id: string): readonly string[] {
    const target = id.split(' ')[1] ?? '';
    const ids = this.#waiting.get(target) ?? [];
    if (ids.includes(id)) return [];
    this.#waiting.set(target, [...ids, id].slice(-maxOfMessage));
    if (this.#waiting.size <= maxWaiting) return ids.slice(0, Math.max(0, ids.length + 1 - maxOfMessage));
    const [first] = this.#waiting;
    if (first === undefined) return [];
    this.#waiting.delete(first[0]);
    return first[1];
  }
}

const removal = (id: string): Change => ({ table: 'missing', id, value: undefined });
