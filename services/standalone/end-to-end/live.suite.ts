import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654321';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A person who looks on: events that came, and the place to go on from. */
class Watching {
  readonly #credential: Readonly<Record<string, string>>;
  #aborter = new AbortController();
  readonly told: Told[] = [];
  last = '';
  beats = 0;

  constructor(credential: Readonly<Record<string, string>>) {
    this.#credential = credential;
  }

  /** Opens the stream, and goes on where it broke off. */
  async open(host: string): Promise<void> {
    this.#aborter = new AbortController();
    const after = this.last === '' ? '' : `?after=${this.last}`;
    const answer = await fetch(`${host}/api/v1/live${after}`, {
      headers: { accept: 'text/event-stream', ...this.#credential },
      signal: this.#aborter.signal,
    });
    if (answer.status !== 200) throw new Error(`GET /live answered ${answer.status} ${await answer.text()}`);
    const before = this.beats + this.told.length;
    void this.#read(answer);
    await eventually(async () => (this.beats + this.told.length > before ? true : undefined));
  }

  close(): void {
    this.#aborter.abort();
  }

  async until(event: string, holds: (data: Told['data']) => boolean = () => true): Promise<Told> {
    return eventually(async () => this.told.find((one) => one.event === event && holds(one.data)));
  }

  of(event: string): Told['data'][] {
    return this.told.filter((one) => one.event === event).map(({ data }) => data);
  }

  async #read(answer: Response): Promise<void> {
    let rest = '';
    const text = answer.body?.pipeThrough(new TextDecoderStream());
    try {
      for await (const piece of text ?? []) {
        const blocks = `${rest}${piece}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // The connection has broken off.
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const [id, event, data] = [field('id'), field('event'), field('data')];
    if (id === undefined || data === undefined) return;
    this.last = id;
    if (event === 'heartbeat') this.beats += 1;
    else this.told.push(JSON.parse(data) as Told);
  }
}

/** Events told to people who look on. Sends are durable. */
export function live(at: () => World): void {
  describe('people who look on', () => {
    let world: World;
    beforeAll(() => {
      world = at();
    });

    it('see what others do and how far things are, each what they may; a kill -9 takes nothing from them, and gives nothing twice', async () => {
      const owner = await register(world);
      const reads = { name: 'Looks on', permissions: ['message:read'] };
      const { key } = (await owner.call<{ key: string }>('POST', '/api-keys', reads)).body;
      const [watching, reader] = [
        new Watching({ authorization: `Bearer ${owner.token}` }),
        new Watching({ 'x-api-key': key }),
      ];
      await Promise.all([watching.open(world.gateway.host), reader.open(world.gateway.host)]);

      const { profileId, phone } = await linkProfile(world, owner, '4915112345691', { messageDelayMs: 5 });
      await watching.until('connection.qr');
      await watching.until('connection.ready');
      await world.network.sendFromContact(contact, { to: phone, text: 'Hello' });
      const { data } = await reader.until('message.received');
      const conversationId = String(data['conversationId']);
      await watching.until('notification.created', ({ type }) => type === 'message');
      for (const change of ['read', 'archive'])
        expect((await owner.call('PUT', `/conversations/${conversationId}/${change}`)).status).toBe(200);
      await reader.until('conversation.updated', ({ change }) => change === 'archived');
      const changes = reader.of('conversation.updated').map(({ change }) => change);
      expect(changes.filter((change) => change !== 'joined')).toEqual(['read', 'archived']);

      const messages = Array.from({ length: 30 }, (_, n) => ({
        chatId: contact,
        type: 'text',
        content: { text: `${n}` },
      }));
      const options = { delayBetweenMessages: 100 };
      const sent = await owner.call<{ batchId: string }>('POST', '/bulk/send', { profileId, messages, options });
      expect([sent.status, sent.body]).toMatchObject([202, { batchId: expect.any(String) }]);
      await reader.until('bulk.completed');
      const progress = reader.told.filter(({ event }) => event === 'bulk.progress') as (Told & { timestamp: string })[];
      expect(progress.length).toBeGreaterThan(0);
      expect(new Set(progress.map(({ timestamp }) => timestamp)).size).toBe(progress.length);
      expect(progress[0]?.data).toMatchObject({ id: sent.body.batchId, total: 30 });
      expect(new Set(reader.told.map(({ event }) => event.split('.')[0]))).toEqual(
        new Set(['message', 'conversation', 'bulk']),
      );

      const texts = Array.from({ length: 20 }, (_, n) => `While away ${n}`);
      const writing = (async () => {
        for (const text of texts) await world.network.sendFromContact(contact, { to: phone, text });
      })();
      await watching.until('message.received', ({ body }) => body === 'While away 3');
      await world.gateway.kill();
      await writing;
      await world.restart();
      await watching.open(world.gateway.host);
      await watching.until('message.received', ({ body }) => body === 'While away 19');
      const bodies = watching.of('message.received').map(({ body }) => String(body));
      expect(bodies.toSorted()).toEqual(['Hello', ...texts].toSorted());
      expect(new Set(watching.told.map(({ id }) => id)).size).toBe(watching.told.length);
      watching.close();
      reader.close();
    }, 600_000);
  });
}
