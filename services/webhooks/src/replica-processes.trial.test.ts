import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { ownPostgres, startChatwoot, type OwnServer } from '@messaging-gateway/testing';
import { Client, type QueryResult } from 'pg';
import { v7 } from 'uuid';
import type { WebhooksSettings } from './index.ts';
import { WebhooksProcesses, type WebhooksProcess } from './testing/processes.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import { eventually, usual } from './testing/webhooks-service.ts';

const settings: WebhooksSettings = { ...usual, retryDelayMs: 200, concurrency: 4 };
const patienceMs = 300_000;

let server: OwnServer;
let customer: Receiver;
let caller: Caller;
let one: WebhooksProcess;
let two: WebhooksProcess;
/** Requests that arrived in earlier tests. */
let before: number;
/** Requests that were under way at the receiver at the same time, at most. */
let most: number;
const processes = new WebhooksProcesses();

beforeAll(async () => {
  [server, customer] = await Promise.all([ownPostgres(), startReceiver()]);
  caller = testCaller();
  let underWay = 0;
  customer.behave((response) => {
    most = Math.max(most, (underWay += 1));
    setTimeout(() => {
      underWay -= 1;
      response.end();
    }, 10);
  });
  [one, two] = await startTwo();
});
beforeEach(() => {
  before = customer.received.length;
  most = 0;
});
afterAll(async () => {
  await processes.killAll();
  await customer.stop();
  await server.drop();
});

/** Two processes, each of which reads every event, and which know of each other. */
async function startTwo(): Promise<readonly [WebhooksProcess, WebhooksProcess]> {
  const first = await processes.start(server.url, settings);
  const second = await processes.start(server.url, settings);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const seen = () =>
    client
      .query('SELECT FROM webhooks.dispatchers WHERE seen_at > $1', [rows[0]?.now])
      .then(({ rowCount }) => rowCount);
  await eventually(seen, (count) => count === 2, patienceMs);
  await client.end();
  await first.order({ caller, url: customer.url });
  return [first, second];
}
const told = (): Set<string> => new Set(customer.received.slice(before).map(({ body }) => body.id));
const arrived = (count: number) =>
  eventually(
    async () => customer.received.length,
    (length) => length >= before + count,
    patienceMs,
  );
const tell = (count: number): Promise<void> =>
  one.order({
    caller,
    tell: { organizationId: caller.organizationId, profileIds: [v7(), v7(), v7()], count },
  });
/** All have arrived and are written down, so that nothing can be repeated any more. @returns repeats */
async function allArrived(count: number): Promise<number> {
  await eventually(
    async () => told().size,
    (size) => size === count,
    patienceMs,
  );
  await eventually(
    () => rowsOf('SELECT FROM webhooks.outstanding'),
    (rows) => rows === 0,
    patienceMs,
  );
  expect(told().size).toBe(count);
  return customer.received.length - before - count;
}
/** Nothing is repeated but what a process had under way that the machine held up. */
const repeatable = (): number => (one.stalls() + two.stalls()) * settings.concurrency;
async function ask<Row extends object>(query: string): Promise<QueryResult<Row>> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const result = await client.query<Row>(query);
  await client.end();
  return result;
}
const rowsOf = async (query: string): Promise<number | null> => (await ask(query)).rowCount;

describe('two processes of webhooks on one database', () => {
  it(
    'deliver each event once, and share the number of requests under way',
    async () => {
      await tell(60);
      expect(await allArrived(60)).toBeLessThanOrEqual(repeatable());
      expect(most).toBeLessThanOrEqual(settings.concurrency);
    },
    3 * patienceMs,
  );

  it(
    'take nothing from each other when the database is back after longer than they are given',
    async () => {
      const telling = tell(80).catch(() => undefined);
      await arrived(20);
      await telling;
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 6000));
      await server.start();
      expect(await allArrived(80)).toBeLessThanOrEqual(repeatable());
    },
    3 * patienceMs,
  );

  it(
    'lose nothing when one is killed -9, and repeat at most what it had under way',
    async () => {
      const telling = tell(80);
      await Promise.all([telling, arrived(20)]);
      await two.kill();
      // Two under way, and what had arrived and was not yet written down.
      expect(await allArrived(80)).toBeLessThanOrEqual(8 + repeatable());
      await tell(10);
      await eventually(
        async () => told().size,
        (size) => size === 90,
        patienceMs,
      );
    },
    4 * patienceMs,
  );

  it(
    'have Chatwoot and those whom agents answer told everything once and in order when one is killed -9 in the middle',
    async () => {
      two = await processes.start(server.url, settings);
      const chatwoot = await startChatwoot();
      await rowsOf(
        'CREATE TABLE public.accepted (place bigserial, message_id uuid PRIMARY KEY, chat text, words text)',
      );
      const token = 'the token of the bridge';
      const tokenHash = createHash('sha256').update(token).digest('hex');
      const { url, apiToken } = chatwoot;
      const bridge = { url, apiToken, accountId: 1, inboxId: 2, enabled: true, tokenHash };
      // The token is not known yet: the settings are read.
      for (const process of [one, two]) await process.order({ caller, bridge, callback: { token, event: {} } });
      const chats = Array.from({ length: 6 }, (_, number) => String(4_915_170_000_000 + number));
      const conversationOf = (number: string): number => {
        const contact = chatwoot.contacts.find(({ phone_number }) => phone_number === `+${number}`)?.id;
        return chatwoot.conversations.find((found) => found.contact === contact)?.id ?? 0;
      };
      const telling = { organizationId: caller.organizationId, profileIds: [v7()], chats };
      const posted = (count: number) =>
        eventually(
          async () => chatwoot.messages.length,
          (length) => length >= count,
          patienceMs,
        );
      await two.order({ caller, tell: { ...telling, count: 1 } });
      await posted(chats.length);
      /** As Chatwoot does, until it is taken; then once more. */
      const answer = async (number: string, words: string, first: WebhooksProcess): Promise<void> => {
        const callback = { token, event: chatwoot.agentWrites(conversationOf(number), words) };
        const isTaken = (process: WebhooksProcess) =>
          process.order({ caller, callback }).then(
            () => true,
            () => false,
          );
        if (!(await isTaken(first))) while (!(await isTaken(two)));
        await isTaken(two);
      };
      const more = two.order({ caller, tell: { ...telling, count: 5 } });
      for (let round = 0; round < 6; round += 1) {
        const answering = chats.map((number, at) => answer(number, `Answer ${round}`, (round + at) % 2 ? one : two));
        if (round === 3) await Promise.race(answering);
        if (round === 3) await one.kill();
        await Promise.all(answering);
      }
      await more;
      await posted(6 * chats.length);
      await eventually(
        () => rowsOf('SELECT FROM public.accepted'),
        (count) => count === 6 * chats.length,
        patienceMs,
      );
      const { rows } = await ask<{ chat: string; words: string }>(
        'SELECT chat, words FROM public.accepted ORDER BY place',
      );
      const numbered = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index}`);
      for (const number of chats) {
        const there = chatwoot.messages.filter(({ conversation }) => conversation === conversationOf(number));
        expect(there.map(({ content }) => content)).toEqual(['Word 0', ...numbered('Word', 5)]);
        expect(rows.filter(({ chat }) => chat === `${number}@c.us`).map(({ words }) => words)).toEqual(
          numbered('Answer', 6),
        );
      }
      await chatwoot.stop();
    },
    4 * patienceMs,
  );
});
