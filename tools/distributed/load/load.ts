import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { eventually } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant, WebhookReceiver } from '@messaging-gateway/testing';

/** A linked profile and somebody whom it writes with. */
export interface Chat extends LinkedProfile {
  readonly contact: string;
}

interface LoadParts {
  readonly tenant: Tenant;
  readonly network: Simulator;
  /** Of a webhook for `message.sent` and `message.received`. */
  readonly receiver: WebhookReceiver;
  readonly chats: readonly Chat[];
  /** At least so long between two messages to a contact, milliseconds; contacts write half as often. */
  readonly pauseMs: number;
}

/** A writer rests as long as so many answers take, so that a busy machine has less to do; never much longer than usual. */
const [restsFor, longestRest] = [3, 5];

/** Patience that ends only what is broken, milliseconds: after an outage a busy machine needs minutes. */
const usualPatienceMs = 600_000;
/** How long a client waits before it asks again, milliseconds. */
const againMs = 250;

/** Messages of a chat that count: the gateway has acknowledged them, or the contact has written them. */
interface Written {
  readonly outgoing: { readonly text: string; readonly messageId: string }[];
  readonly incoming: string[];
}

export interface Load {
  /** Messages acknowledged until now. */
  acknowledged(): number;
  /** Resolves when so many more were acknowledged: the load goes on. */
  progress(more: number, timeoutMs?: number): Promise<void>;
  /** Every writer finishes its message. */
  stop(): Promise<void>;
  /** How many of the contacts' messages the inbox has, by chat. */
  stored(): Promise<readonly number[]>;
  /** @throws Error (or an assertion's) unless every message arrived everywhere once, in order */
  arrived(timeoutMs?: number): Promise<Arrivals>;
}

/** Messages that arrived, by chat and place. */
export interface Arrivals {
  readonly chats: readonly {
    readonly acknowledged: readonly string[];
    readonly shownToContact: readonly string[];
    readonly writtenByContact: readonly string[];
    readonly stored: readonly string[];
    readonly toldSent: readonly string[];
    readonly toldReceived: readonly string[];
  }[];
}

/**
 * People who write in both directions without a pause for what happens to the installation. A writer goes on to the next
 * message when the one before was acknowledged; an answer that tells nothing is asked for again with the same
 * Idempotency-Key, as a careful client does.
 */
export function startLoad(parts: LoadParts): Load {
  const written = parts.chats.map((): Written => ({ outgoing: [], incoming: [] }));
  let stopped = false;
  const writing = parts.chats.flatMap((chat, index) => {
    const { outgoing, incoming } = written[index] as Written;
    let rest = parts.pauseMs;
    const towardsContact = async (): Promise<void> => {
      for (let count = 0; !stopped; count += 1) {
        const text = `Out ${index}-${count}`;
        const began = performance.now();
        outgoing.push({ text, messageId: await send(parts.tenant, chat, text) });
        rest = Math.min(longestRest * parts.pauseMs, Math.max(parts.pauseMs, restsFor * (performance.now() - began)));
        await sleep(rest);
      }
    };
    const fromContact = async (): Promise<void> => {
      for (let count = 0; !stopped; count += 1) {
        const text = `In ${index}-${count}`;
        await parts.network.sendFromContact(chat.contact, { to: chat.phone, text });
        incoming.push(text);
        await sleep(2 * rest);
      }
    };
    return [towardsContact(), fromContact()];
  });
  const finished = Promise.all(writing);
  finished.catch(() => (stopped = true));
  const acknowledged = (): number => written.reduce((sum, { outgoing }) => sum + outgoing.length, 0);
  return {
    acknowledged,
    progress: async (more, timeoutMs = usualPatienceMs) => {
      const goal = acknowledged() + more;
      const reached = eventually(async () => (acknowledged() >= goal ? true : undefined), timeoutMs);
      // A writer that was refused for good ends the wait with its reason.
      await Promise.race([reached, finished.then(() => reached)]);
    },
    stop: async () => {
      stopped = true;
      await finished;
    },
    stored: () =>
      Promise.all(parts.chats.map(async ({ profileId }) => (await allIncoming(parts.tenant, profileId)).length)),
    arrived: (timeoutMs = usualPatienceMs) => arrivals(parts, written, timeoutMs),
  };
}

const waitsFor = new Set([408, 409, 429, 500, 502, 503, 504]);

/** Sends until it is acknowledged. @returns the message's id @throws Error when it is refused for good */
async function send(tenant: Tenant, { profileId, contact }: Chat, text: string): Promise<string> {
  for (let key = randomUUID(); ;) {
    const answer = await tenant
      .call<{ messageId?: string; data?: { messageId: string }; error?: Failure }>(
        'POST',
        '/messages/text',
        { profileId, to: contact, text },
        { 'Idempotency-Key': key },
      )
      .catch(() => undefined);
    const messageId = answer?.body.data?.messageId ?? answer?.body.messageId;
    if (answer !== undefined && answer.status < 300 && messageId !== undefined) return messageId;
    if (answer !== undefined && !waitsFor.has(answer.status))
      throw new Error(`"${text}" was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (await hasFailed(tenant, answer?.body.error)) key = randomUUID();
    await sleep(againMs);
  }
}

interface Failure {
  readonly details?: { readonly messageId?: string };
}

/** A message that is known to have failed stays so under its key: the text goes out as a new one. */
async function hasFailed(tenant: Tenant, failure: Failure | undefined): Promise<boolean> {
  const messageId = failure?.details?.messageId;
  if (messageId === undefined) return false;
  const answer = await tenant.call<{ status?: string }>('GET', `/messages/${messageId}`).catch(() => undefined);
  return answer?.status === 200 && answer.body.status === 'failed';
}

/** Waits until as much as was written has arrived, then tells what did, doubles included. */
async function arrivals(parts: LoadParts, written: readonly Written[], timeoutMs: number): Promise<Arrivals> {
  const { network, receiver } = parts;
  const until = Date.now() + timeoutMs;
  const remaining = (): number => Math.max(1000, until - Date.now());
  const chats = await Promise.all(
    parts.chats.map(async (chat, index) => {
      const { outgoing, incoming } = written[index] as Written;
      await network.waitForMessages(chat.contact, outgoing.length, remaining(), chat.phone).catch(() => undefined);
      const stored = await storedTexts(parts.tenant, chat, incoming.length, remaining());
      const ids = new Map(outgoing.map(({ messageId, text }) => [messageId, text]));
      const sent = (): string[] =>
        told(receiver, chat, 'message.sent').flatMap(({ data }) => ids.get(String(data['messageId'])) ?? []);
      const received = (): string[] => told(receiver, chat, 'message.received').map(({ data }) => String(data['body']));
      await eventually(
        async () => (sent().length >= outgoing.length && received().length >= incoming.length ? true : undefined),
        remaining(),
      ).catch(() => undefined);
      const shown = await network.messages(chat.contact, { from: chat.phone });
      return {
        acknowledged: outgoing.map(({ text }) => text),
        shownToContact: shown.map(({ text }) => text),
        writtenByContact: [...incoming],
        stored,
        toldSent: sent(),
        toldReceived: received(),
      };
    }),
  );
  return { chats };
}

/** Each event once: a webhook may be told an event again under the same `webhook-id`. */
function told(receiver: WebhookReceiver, { profileId }: Chat, kind: string): WebhookReceiver['deliveries'][number][] {
  const ofChat = receiver.deliveries.filter(({ event, profileId: of }) => event === kind && of === profileId);
  return [...new Map(ofChat.map((delivery) => [delivery.headers['webhook-id'], delivery])).values()];
}

/** Texts that the inbox has of the contact's messages, oldest first. */
async function storedTexts(tenant: Tenant, { profileId }: Chat, count: number, timeoutMs: number): Promise<string[]> {
  let texts: string[] = [];
  await eventually(async () => {
    texts = await allIncoming(tenant, profileId);
    return texts.length >= count ? true : undefined;
  }, timeoutMs).catch(() => undefined);
  return texts;
}

async function allIncoming(tenant: Tenant, profileId: string): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: { body: Page } = await tenant.call<Page>(
      'GET',
      `/messages/profile/${profileId}?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { direction, content } of page.body.items) if (direction !== 'outgoing') texts.push(content.text);
    cursor = page.body.nextCursor ?? undefined;
  }
  return texts.toReversed();
}

interface Page {
  readonly items: readonly { readonly direction: string; readonly content: { readonly text: string } }[];
  readonly nextCursor: string | null;
}
