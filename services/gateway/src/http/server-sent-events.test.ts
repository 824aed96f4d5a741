import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeOrganizationEpoch, markSessionRevoked, type OperationRequest } from '@messaging-gateway/contracts';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let sessionId: string;
let asked: OperationRequest[];

/** A feed like that of an owner: it holds an empty answer back for `wait` seconds or until there is something. */
const feed: { id: string; kind: string }[] = [];
const waiting = new Set<() => void>();
const tell = (id: string): void => {
  feed.push({ id, kind: 'thing.made' });
  for (const wake of waiting) wake();
};
async function news({ query }: OperationRequest): Promise<{ items: typeof feed; nextCursor: string | null }> {
  const { after, wait = 0 } = query as { after?: string; wait?: number };
  const from = after === undefined ? 0 : feed.findIndex(({ id }) => id === after) + 1;
  if (feed.length === from && wait > 0) {
    await new Promise<void>((resolve) => {
      waiting.add(resolve);
      setTimeout(resolve, wait * 1000).unref();
    });
  }
  const items = feed.slice(from);
  return { items, nextCursor: items.at(-1)?.id ?? after ?? null };
}

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  await gateway.own('WatchThings', async (request) => ({ status: 200, body: await news(request) }));
  asked = await gateway.own('FeedThings', async (request) => ({ status: 200, body: await news(request) }));
});
beforeEach(() => {
  const signedIn = gateway.identity.signIn(gateway.clock, { permissions: ['webhook:manage'] });
  token = signedIn.token;
  sessionId = signedIn.claims.sid;
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

interface Listening {
  readonly answer: Response;
  /** The text that came, as soon as it holds this one. */
  until(text: string): Promise<string>;
  /** The text that came until the end. */
  rest(): Promise<string>;
  close(): void;
}

async function listen(headers: Record<string, string> = {}, query = '', path = '/feed'): Promise<Listening> {
  const aborter = new AbortController();
  const answer = await fetch(`${gateway.url}/api/v1${path}${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    signal: aborter.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  const pull = async (enough: () => boolean): Promise<string> => {
    while (!enough()) {
      const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true };
      if (done) break;
      seen += value;
    }
    return seen;
  };
  return {
    answer,
    until: (text) => pull(() => seen.includes(text)),
    rest: () => pull(() => false),
    close: () => aborter.abort(),
  };
}

describe('server-sent events', () => {
  it('tell what is there, then what comes, each with its id', async () => {
    tell('1');
    const stream = await listen();
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream');
    await stream.until('"1"');
    tell('2');
    tell('3');
    const seen = await stream.until('id: 3');
    stream.close();
    expect(seen).toContain('retry: 3000\n\nid: 1\nevent: thing.made\ndata: {"id":"1","kind":"thing.made"}\n\n');
    expect(seen.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3']);
  });

  it('go on after Last-Event-ID', async () => {
    const stream = await listen({ 'last-event-id': '2' }, '?after=1');
    const seen = await stream.until('id: 3');
    stream.close();
    expect(seen.match(/^id: .*$/gm)).toEqual(['id: 3']);
  });

  it('show at once that the stream is open, though there is nothing yet', async () => {
    const stream = await listen({ 'last-event-id': '3' });
    expect(await stream.until(': nothing new')).toContain('retry');
    stream.close();
  });

  it('say by an event that all is well, where scripts are to see it, with a place to go on from', async () => {
    const stream = await listen({}, '?after=3', '/watch');
    expect(await stream.until('\n\nid')).toBe('retry: 3000\n\nid: 3\nevent: heartbeat\ndata: {}\n\n');
    stream.close();
  });

  it('tell nothing that was read with rights which are gone', async () => {
    const { session } = gateway.identity.signIn(gateway.clock);
    const reader = gateway.identity.signIn(gateway.clock, { ...session, permissions: ['profile:read'] });
    const seenAs: unknown[] = [];
    await gateway.own('WatchThings', async (request) => {
      seenAs.push(request.caller?.permissions);
      return { status: 200, body: await news(request) };
    });
    const stream = await listen({ authorization: `Bearer ${reader.token}`, 'last-event-id': '3' }, '', '/watch');
    await stream.until('heartbeat');
    gateway.identity.sessions.set(session.sessionId ?? '', { ...session, permissions: [] });
    await changeOrganizationEpoch(gateway.cache, session.organizationId);
    tell('3a');
    await stream.until('id: 3a');
    stream.close();
    expect(seenAs.at(-1)).toEqual([]);
    expect(seenAs.filter((words) => Array.isArray(words) && words.length === 0).length).toBeGreaterThan(0);
  });

  it('are refused like any other request, before they begin', async () => {
    expect((await listen({ authorization: 'Bearer x' })).answer.status).toBe(401);
    expect((await listen({}, '?colour=red')).answer.status).toBe(400);
  });

  it('go on, never back', async () => {
    const { answer, rest } = await listen({}, '?before=3');
    expect(answer.status).toBe(400);
    expect(await rest()).toContain('query.before');
  });

  it('end with the credential: nothing goes out after its revocation', async () => {
    const stream = await listen({ 'last-event-id': '3' });
    await stream.until(': nothing new');
    await markSessionRevoked(gateway.cache, sessionId);
    tell('4');
    expect(await stream.rest()).not.toContain('id: 4');
  });

  it('are a long poll without Accept: text/event-stream', async () => {
    const polled = call(gateway, 'GET', '/feed?after=4&wait=10', { token });
    const before = asked.length;
    while (asked.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    tell('5');
    expect((await polled).body).toEqual({ items: [{ id: '5', kind: 'thing.made' }], nextCursor: '5' });
  });

  it('and long polls do not hold up a stop', async () => {
    const own = await startTestGateway({ databaseUrl: database.url });
    const here = await own.own('FeedThings', () => new Promise(() => undefined));
    const { token: theirs } = own.identity.signIn(own.clock, { permissions: ['webhook:manage'] });
    const polled = call(own, 'GET', '/feed?wait=30', { token: theirs });
    const streamed = call(own, 'GET', '/feed', { token: theirs, headers: { accept: 'text/event-stream' } });
    while (here.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await own.stop();
    expect((await polled).status).toBe(503);
    expect((await streamed).text).toBe('');
  });
});

it('of one organization may be a hundred at a gateway', async () => {
  const { token: other } = gateway.identity.signIn(gateway.clock, { permissions: ['webhook:manage'] });
  const open = await Promise.all(Array.from({ length: 100 }, () => listen()));
  expect(new Set(open.map(({ answer }) => answer.status))).toEqual(new Set([200]));
  const refused = await listen();
  expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.rest()).toContain('100 event streams');
  const stranger = await listen({ authorization: `Bearer ${other}` });
  expect(stranger.answer.status).toBe(200);
  for (const one of [...open, stranger]) one.close();
  await eventually(async () => {
    const again = await listen();
    again.close();
    return again.answer.status === 200 ? true : undefined;
  });
});

it('of one credential may be fewer than of its organization', async () => {
  const organizationId = randomUUID();
  const sign = () => gateway.identity.signIn(gateway.clock, { organizationId }).token;
  const open: Listening[] = [];
  const statusFor = async (bearer: string): Promise<number> => {
    const one = await listen({ authorization: `Bearer ${bearer}` }, '', '/watch');
    open.push(one);
    return one.answer.status;
  };
  const [ada, ben, cem] = [sign(), sign(), sign()];
  const statuses: number[] = [];
  for (const bearer of [ada, ada, ada, ben, ben, cem, cem]) statuses.push(await statusFor(bearer));
  expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429]);
  for (const one of open) one.close();
});
