import { startChatwoot, type FakeChatwoot } from '@messaging-gateway/testing';
import { request } from 'undici';
import { linkSenders, registerOwner } from '../load.ts';
import { percentile } from '../percentile.ts';
import type { SimulatorProcess } from '../simulator-process.ts';
import type { Part, Place } from './part.ts';

const perSecond = Number(process.env['BENCH_CHATWOOT_PER_SECOND'] ?? 50);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
const profiles = 10;
const chats = 200;
const patienceMs = 120_000;

/** Messages of contacts to Chatwoot, and of its agents to contacts, both at a steady rate at the same time. */
export const chatwoot: Part = async ({ installation, network }) => {
  const owner = await registerOwner(installation);
  const senders = await linkSenders(installation, network, owner, profiles);
  const product = await startChatwoot();
  try {
    // What the profiles sent when they were linked may be posted too.
    const posts = (words: string) => product.messages.filter(({ content }) => content.startsWith(words));
    const callback = await bridge(installation, owner.token, product);
    const contacts = Array.from({ length: chats }, (_, number) => ({
      contact: `4927${String(number).padStart(7, '0')}`,
      phone: senders[number % senders.length]?.phone ?? '',
    }));
    // Everybody has a conversation there before it begins.
    for (const { contact, phone } of contacts)
      await network.control.sendFromContact(contact, { to: phone, text: `First of ${contact}` });
    await until(
      () => posts('First').length === chats,
      () => `${posts('First').length} of ${chats} were posted`,
    );
    const conversations = new Map(
      posts('First').map(({ content, conversation }) => [content.slice('First of '.length), conversation]),
    );
    const before = await installation.cost();
    const messages = perSecond * seconds;
    const toldAt = new Map<string, number>();
    const posted = follow(product);
    const telling: Promise<void>[] = [];
    const faults: unknown[] = [];
    const failed = (fault: unknown): void => void faults.push(fault);
    const began = performance.now();
    for (let number = 0; number < messages; number += 1) {
      const wait = began + (number * 1000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const { contact, phone } = contacts[number % chats] ?? { contact: '', phone: '' };
      void network.control.sendFromContact(contact, { to: phone, text: `In ${number}` });
      const text = `Out ${number}`;
      toldAt.set(text, Date.now());
      telling.push(tell(callback, product.agentWrites(conversations.get(contact) ?? 0, text)).catch(failed));
    }
    await Promise.all(telling);
    if (faults.length > 0) throw new Error(`Chatwoot was not answered ${faults.length} times`, { cause: faults[0] });
    const incoming = () => posts('In ').length;
    await until(
      () => incoming() === messages,
      () => `${incoming()} of ${messages} were posted`,
    );
    const [inward, outward]: [number[], number[]] = [[], []];
    let overtaken = 0;
    for (const [place, { contact }] of contacts.entries()) {
      const numbers = Array.from({ length: messages }, (_, number) => number).filter(
        (number) => number % chats === place,
      );
      await network.control.waitForMessages(contact, numbers.length, patienceMs);
      const isInOrder = await checkOrder(network, product, {
        contact,
        conversation: conversations.get(contact) ?? 0,
        numbers,
      });
      if (!isInOrder) overtaken += 1;
      for (const { text = '', at } of await network.control.written(contact))
        if (text.startsWith('In ')) inward.push((posted.at.get(text) ?? 0) - Date.parse(at));
      for (const { text = '', at } of await network.control.messages(contact))
        outward.push(Date.parse(at) - (toldAt.get(text) ?? 0));
    }
    const after = await installation.cost();
    posted.stop();
    const cpuMs = (after.services + after.postgres - before.services - before.postgres) / messages;
    const figures = { perSecond, messages, inward: quantiles(inward), outward: quantiles(outward), overtaken, cpuMs };
    const line = (name: string, { p50, p99 }: { p50: number; p99: number }): string =>
      `  ${name.padEnd(60)} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
    return {
      figures,
      lines: [
        line(`contact to Chatwoot, ${perSecond} a second`, figures.inward),
        line(`agent to contact, ${perSecond} a second at the same time`, figures.outward),
        `  ${cpuMs.toFixed(1)} ms of CPU for one of each, with their way through the gateway; each once, in order at Chatwoot; ${overtaken} of ${chats} chats with answers that overtook each other`,
      ],
    };
  } finally {
    await product.stop();
  }
};

/** @returns the URL that Chatwoot tells */
async function bridge(installation: Place['installation'], credential: string, product: FakeChatwoot): Promise<URL> {
  const settings = { url: product.url, apiToken: product.apiToken, accountId: 1, inboxId: 2, enabled: true };
  const answer = await installation.call<{ chatwoot: { webhookUrl: string } }>(
    'PUT',
    '/integrations/config',
    { chatwoot: settings },
    { credential },
  );
  const { pathname, search } = new URL(answer.body.chatwoot.webhookUrl);
  return new URL(`${pathname}${search}`, installation.host);
}

async function tell({ origin, pathname, search }: URL, event: object): Promise<void> {
  const answer = await request(`${origin}${pathname}${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`Chatwoot was answered ${answer.statusCode}`);
}

/** When each message was there, looked at every 5 ms. */
function follow(product: FakeChatwoot): { readonly at: ReadonlyMap<string, number>; readonly stop: () => void } {
  const at = new Map<string, number>();
  let seen = product.messages.length;
  const timer = setInterval(() => {
    for (; seen < product.messages.length; seen += 1) at.set(product.messages[seen]?.content ?? '', Date.now());
  }, 5);
  return { at, stop: () => clearInterval(timer) };
}

interface Chat {
  readonly contact: string;
  readonly conversation: number;
  readonly numbers: readonly number[];
}

/**
 * @returns whether the answers of agents have come in the order in which they were told: requests may overtake each other on a busy machine
 * @throws Error when something is missing or twice there, or out of order in Chatwoot
 */
async function checkOrder(network: SimulatorProcess, product: FakeChatwoot, chat: Chat): Promise<boolean> {
  const { contact, conversation, numbers } = chat;
  const there = product.messages
    .filter((message) => message.conversation === conversation)
    .map(({ content }) => content);
  const here = (await network.control.messages(contact)).map(({ text }) => text);
  const wanted = numbers.map((number) => `Out ${number}`);
  const isWhole =
    same(there, [`First of ${contact}`, ...numbers.map((number) => `In ${number}`)]) &&
    same(here.toSorted(), wanted.toSorted());
  if (!isWhole) throw new Error(`${contact}: ${JSON.stringify([there, here])}`);
  return same(here, wanted);
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const quantiles = (times: readonly number[]) => ({
  p50: percentile([...times], 0.5),
  p99: percentile([...times], 0.99),
});

async function until(holds: () => boolean, what: () => string): Promise<void> {
  for (const end = Date.now() + patienceMs; !holds();) {
    if (Date.now() > end) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
