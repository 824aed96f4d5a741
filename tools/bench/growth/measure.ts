import { setTimeout as sleep } from 'node:timers/promises';
import { encodeCursor } from '@messaging-gateway/service';
import { Pool } from 'undici';
import { percentile } from '../percentile.ts';
import type { Standalone } from '../standalone.ts';
import { measuredPlaces, momentOf, plannedConversation, rareWord, type Plan } from './plan.ts';

/** A filled installation that runs. */
export interface Subject {
  readonly installation: Standalone;
  readonly plan: Plan;
  readonly token: string;
  /** Of messages, spread over all. */
  readonly ids: readonly string[];
}

/** The cost of one kind of request on the small and the large installation, milliseconds. */
export interface Growth {
  readonly name: string;
  /** Named by the requirement: at most 1.2 times as slow. */
  readonly isBounded: boolean;
  readonly samples: number;
  readonly small: Taken;
  readonly large: Taken;
  /** Of the medians. */
  readonly ratio: number;
}

/** Milliseconds. */
interface Taken {
  readonly p50: number;
  readonly p99: number;
  /**
   * Processor time of gateway and PostgreSQL while a request was answered, on average: steadier than time on a machine
   * that does other things.
   */
  readonly cpu: number;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

interface Kind {
  readonly name: string;
  readonly isBounded: boolean;
  readonly writes: boolean;
  request(subject: Subject, number: number): Request;
}

const get = (path: string): Request => ({ method: 'GET', path });
/** An id before that of any message of the moment. */
const firstIdAt = (moment: number): string => {
  const hex = moment.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
const cursorAt = ({ plan }: Subject, share: number): string =>
  encodeCursor([firstIdAt(momentOf(plan, plan.messages * share))]);
/** Behind nine tenths of the conversations: each of them has a message among the last ones. */
const deepConversation = ({ plan }: Subject): string =>
  encodeCursor([0, firstIdAt(momentOf(plan, plan.messages - plan.conversations))]);
const profileOf = ({ plan }: Subject, number: number): string =>
  plan.profiles[number % plan.profiles.length]?.profileId ?? '';
const conversationOf = ({ plan }: Subject, place: number): string => plannedConversation(plan, place).conversation;
/** People who have a session with their profile already: the first ones of each. */
export const warmPlaces = 30;

export function sendTo({ plan }: Subject, place: number): Request {
  const { profile, phone } = plannedConversation(plan, place);
  const text = 'A message of the usual length, about sixty characters long.';
  return { method: 'POST', path: '/messages/text', body: { profileId: profile, to: phone, text } };
}

const kind = (name: string, isBounded: boolean, request: Kind['request']): Kind => ({
  name,
  isBounded,
  writes: false,
  request,
});

const kinds: readonly Kind[] = [
  { ...kind('send a text', true, (subject, number) => sendTo(subject, number % warmPlaces)), writes: true },
  kind('conversations', true, () => get('/conversations')),
  kind('conversations, deep page', true, (subject) => get(`/conversations?cursor=${deepConversation(subject)}`)),
  kind('conversations of a profile', true, (subject, number) =>
    get(`/conversations?profileId=${profileOf(subject, number)}`),
  ),
  kind('conversations not archived', true, () => get('/conversations?archived=false')),
  kind('unread conversations', false, () => get('/conversations?unread=true')),
  kind('conversations by a name', false, (_, number) =>
    get(`/conversations?search=${encodeURIComponent(`Correspondent ${number % measuredPlaces}`)}`),
  ),
  kind('one conversation', false, (subject, number) =>
    get(`/conversations/${conversationOf(subject, number % measuredPlaces)}`),
  ),
  kind('unread count', false, () => get('/conversations/unread-count')),
  kind('messages of a profile', true, (subject, number) => get(`/messages/profile/${profileOf(subject, number)}`)),
  kind('messages of a profile, deep page', true, (subject, number) =>
    get(`/messages/profile/${profileOf(subject, number)}?cursor=${cursorAt(subject, 0.1 + (number % 80) / 100)}`),
  ),
  kind('messages of the large conversation', true, (subject) =>
    get(`/conversations/${conversationOf(subject, 0)}/messages`),
  ),
  kind('messages of the large conversation, deep page', true, (subject, number) =>
    get(`/conversations/${conversationOf(subject, 0)}/messages?cursor=${cursorAt(subject, 0.1 + (number % 80) / 100)}`),
  ),
  kind('messages of a conversation', true, (subject, number) =>
    get(`/conversations/${conversationOf(subject, 1 + (number % measuredPlaces))}/messages`),
  ),
  kind('one message', false, ({ ids }, number) => get(`/messages/${ids[(number * 37) % ids.length]}`)),
  kind('search in a profile, rare word', false, (subject, number) =>
    get(`/messages/profile/${profileOf(subject, number)}?search=${rareWord}`),
  ),
  kind('search in the large conversation, rare word', false, (subject) =>
    get(`/conversations/${conversationOf(subject, 0)}/messages?search=${rareWord}`),
  ),
  kind('search in the large conversation, usual word', false, (subject) =>
    get(`/conversations/${conversationOf(subject, 0)}/messages?search=bababa`),
  ),
  kind('contacts', false, () => get('/contacts')),
  kind('oldest events', false, () => get('/events')),
  kind('newest events', false, () => get('/events?after=latest')),
];

/** Receipts come in after what was sent, and readers of the journals follow: nothing else is asked meanwhile. */
const aftermathMs = 3000;

const connections = new Map<string, Pool>();

/** @returns milliseconds until the answer was read @throws Error when it is none of success */
export async function ask(
  { installation: { host }, token }: Subject,
  { method, path, body }: Request,
): Promise<number> {
  let pool = connections.get(host);
  if (pool === undefined) connections.set(host, (pool = new Pool(host, { connections: 1 })));
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const begun = performance.now();
  const answer = await pool.request({
    method,
    path: `/api/v1${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  const taken = performance.now() - begun;
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return taken;
}

/**
 * Asks both installations in turn, request by request, so that what else the machine does falls on both alike: rounds
 * over all kinds, with as many requests of each kind to either in a round.
 */
export async function measureGrowth(
  small: Subject,
  large: Subject,
  rounds: number,
  perRound: number,
): Promise<Growth[]> {
  const taken = kinds.map(() => ({ small: new Samples(), large: new Samples() }));
  for (let round = -1; round < rounds; round += 1) {
    for (const [at, one] of kinds.entries()) {
      for (let number = 0; number < perRound; number += 1) {
        const sample = (round + 1) * perRound + number;
        for (const which of sample % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
          const subject = which === 'small' ? small : large;
          const before = subject.installation.cpuMs();
          const time = await ask(subject, one.request(subject, sample));
          const cpu = subject.installation.cpuMs() - before;
          if (round >= 0) taken[at]?.[which].add(time, cpu); // the first round warms up
        }
      }
      if (one.writes) await sleep(aftermathMs);
    }
  }
  return kinds.map(({ name, isBounded }, at) => {
    const { small: few = new Samples(), large: many = new Samples() } = taken[at] ?? {};
    const [ofFew, ofMany] = [few.taken(), many.taken()];
    return { name, isBounded, samples: few.count, small: ofFew, large: ofMany, ratio: ofMany.p50 / ofFew.p50 };
  });
}

class Samples {
  readonly #times: number[] = [];
  #cpu = 0;

  get count(): number {
    return this.#times.length;
  }

  add(time: number, cpu: number): void {
    this.#times.push(time);
    this.#cpu += cpu;
  }

  taken(): Taken {
    const times = this.#times;
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu: this.#cpu / times.length };
  }
}
