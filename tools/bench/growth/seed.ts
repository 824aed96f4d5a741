import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { RowPattern } from './copies.ts';
import { copyIn, Gathered } from './copy-in.ts';
import type { Copy } from './pattern.ts';
import { idAt, momentOf, networkIdOf, placeOf, plannedConversation, textOf } from './plan.ts';
import type { Plan, PlannedConversation } from './plan.ts';

/** Rows of the real exchange: of each message, of who becomes known by answering, and of the conversation. */
export interface SeedPatterns {
  readonly sent: readonly RowPattern[];
  readonly received: readonly RowPattern[];
  readonly acquaintance: readonly RowPattern[];
  readonly conversation: readonly RowPattern[];
}

export interface SeedParts {
  readonly patterns: SeedPatterns;
  /** By schema. */
  readonly clients: ReadonlyMap<string, Client>;
  /** Older rows of this table are gone, as the product drops them, milliseconds since 1970. */
  readonly logFrom: number;
  readonly firstLogSequence: number;
}

interface Standing {
  readonly values: PlannedConversation;
  messages: number;
  unread: number;
  begun: number;
  lastId: string;
}

const portion = 4000;
const appendIds = { last: 1n << 62n };

class ValuesOfCopy implements Copy {
  readonly moment: number;
  readonly #values: Readonly<Record<string, string>>;
  readonly #ids = randomBytes(16).toString('hex');
  readonly #nextLogSequence: () => string;

  constructor(moment: number, values: Readonly<Record<string, string>>, nextLogSequence: () => string) {
    this.moment = moment;
    this.#values = values;
    this.#nextLogSequence = nextLogSequence;
  }

  value(name: string): string {
    if (name === 'logSequence') return this.#nextLogSequence();
    if (name === 'appendId') return String((appendIds.last += 1n));
    const value = this.#values[name];
    if (value === undefined) throw new Error(`A copy has no "${name}".`);
    return value;
  }

  fresh(number: number): string {
    const ids = this.#ids;
    const own = number.toString(16).padStart(2, '0');
    return `${ids.slice(0, 8)}-${ids.slice(8, 12)}-5${ids.slice(13, 16)}-8${ids.slice(17, 20)}-${own}${ids.slice(22)}`;
  }
}

/**
 * Writes copies of the real messages, oldest first: rows of one portion in one transaction for each table.
 *
 * @returns the ids of some of them, spread over all, and the last sequence of the log
 */
export async function seed(plan: Plan, parts: SeedParts): Promise<{ ids: string[]; logSequence: number }> {
  const { patterns, clients, logFrom } = parts;
  const conversations = new Map<number, Standing>();
  const gathered = new Gathered();
  let logSequence = parts.firstLogSequence;
  const nextLogSequence = (): string => String((logSequence += 1));
  const isKept = ({ table }: RowPattern): boolean => table !== 'webhooks.event_log';
  const old = {
    sent: patterns.sent.filter(isKept),
    received: patterns.received.filter(isKept),
    acquaintance: patterns.acquaintance.filter(isKept),
  };
  const ids: string[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (): Promise<void> => {
    const batches = gathered.take();
    await writing;
    writing = Promise.all([...batches].map(([schema, some]) => copyIn(clients.get(schema) as Client, some)));
    writing.catch(() => undefined); // reported by who waits for it next
  };
  for (let number = 0; number < plan.messages; number += 1) {
    const moment = momentOf(plan, number);
    const place = placeOf(plan, number);
    const standing = conversations.get(place) ?? begun(plan, place, moment);
    conversations.set(place, standing);
    const isSent = standing.messages % 2 === 0;
    const id = idAt(moment);
    const own = { id, networkId: networkIdOf(id, isSent), text: textOf(number) };
    const copy = new ValuesOfCopy(moment, { ...standing.values, ...own }, nextLogSequence);
    const some = moment < logFrom ? old : patterns;
    if (standing.messages === 1) gathered.add(some.acquaintance, copy);
    gathered.add(isSent ? some.sent : some.received, copy);
    standing.messages += 1;
    standing.unread += isSent ? 0 : 1;
    standing.lastId = id;
    if (number % Math.ceil(plan.messages / 1000) === 0) ids.push(id);
    if ((number + 1) % portion === 0) await write();
  }
  for (const { values, begun: moment, unread, lastId } of conversations.values()) {
    const own = { id: lastId, unread: String(unread) };
    gathered.add(patterns.conversation, new ValuesOfCopy(moment, { ...values, ...own }, nextLogSequence));
  }
  await write();
  await writing;
  return { ids, logSequence };
}

const begun = (plan: Plan, place: number, moment: number): Standing => ({
  values: plannedConversation(plan, place),
  messages: 0,
  unread: 0,
  begun: moment,
  lastId: '',
});
