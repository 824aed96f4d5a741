import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testClock } from '@messaging-gateway/runtime';
import type { Fact } from '../engine/engine.ts';
import { until } from '../testing/engine-harness.ts';
import { bytes, mediaOf, waitingMedia, withMedia, type Download } from '../testing/waiting-media.ts';
import type { AttachedFact } from './media-fetcher.ts';

describe('a message after media in a chat', () => {
  let world: Awaited<ReturnType<typeof waitingMedia>>;
  beforeAll(async () => {
    world = await waitingMedia();
  });
  afterAll(() => world.close());

  const chat = { jid: '100000000000001@lid', lid: '100000000000001@lid' };
  const text = (profileId: string, name: string, of: AttachedFact['data']['chat'] = chat): Fact => {
    const { attachment: _, ...message } = withMedia(profileId, name, of);
    return { ...message, data: { ...message.data, content: { type: 'text', content: { text: name } } } };
  };
  const names = (told: readonly Fact[]): string[] =>
    told.flatMap((one) => (one.kind === 'message' ? [one.data.networkMessageId] : []));
  /** Media that come when the test says so, by the size that they are said to have. */
  const held = () => {
    const waiting = new Map<number, () => void>();
    const download: Download = async ({ size }, signal) => {
      await new Promise<void>((resolve, reject) => {
        waiting.set(size, resolve);
        signal.addEventListener('abort', () => reject(new Error('Given up.')));
      });
      return Readable.from([bytes]);
    };
    const arrive = async (size: number): Promise<void> => (await until(() => waiting.get(size)))();
    return { download, arrive };
  };
  const sized = (profileId: string, name: string, size: number): AttachedFact => {
    const message = withMedia(profileId, name, chat);
    return { ...message, attachment: { ...message.attachment, size } };
  };

  it('is told in its order; other chats do not wait', async () => {
    const data = await world.opened();
    const { download, arrive } = held();
    const { attached, told, come } = await world.working(data, download);
    attached.start();
    const { profileId } = data;
    const known = { jid: '4915112345678@c.us', phone: '4915112345678', lid: chat.lid };
    await come(sized(profileId, 'one', 1), text(profileId, 'two'), sized(profileId, 'three', 3));
    // The number has become known meanwhile.
    await come(text(profileId, 'four', known), text(profileId, 'elsewhere', { jid: '4915187654321@c.us' }));
    expect(names(told)).toEqual(['elsewhere']);
    await arrive(3);
    await arrive(1);
    await until(() => told.length === 5);
    expect(names(told)).toEqual(['elsewhere', 'one', 'two', 'three', 'four']);
    await come(text(profileId, 'five'));
    expect(names(told).at(-1)).toBe('five');
    expect(await data.scan('media', '', 10)).toEqual([]);
    await attached.stop();
  });

  it('waits for them only for a time: then the media follow', async () => {
    const data = await world.opened();
    const { download, arrive } = held();
    const clock = testClock();
    const { attached, told, come } = await world.working(data, download, clock);
    attached.start();
    const { profileId } = data;
    await come(sized(profileId, 'slow', 1), text(profileId, 'after'));
    clock.advance(15_000);
    await come(text(profileId, 'and after'));
    expect(told).toEqual([]);
    clock.advance(6_000);
    await until(() => told.length === 2);
    await come(text(profileId, 'at once'));
    await arrive(1);
    await until(() => told.length === 4);
    expect(names(told)).toEqual(['after', 'and after', 'at once', 'slow']);
    expect(mediaOf(told.slice(3))).toEqual([expect.objectContaining({ key: expect.any(String) })]);
    await attached.stop();
  });

  it('keeps its order over a kill', async () => {
    const data = await world.opened();
    const { profileId } = data;
    const killed = await world.working(data, held().download);
    await killed.come(sized(profileId, 'one', 1), text(profileId, 'two'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { download, arrive } = held();
    const { attached, told, come } = await world.working(data, download);
    attached.start();
    const restarted = Date.now();
    await come(text(profileId, 'three'));
    expect(told).toEqual([]);
    await arrive(1);
    await until(() => told.length === 3);
    expect(names(told)).toEqual(['one', 'two', 'three']);
    // Lists go by when they came, not by when they could be told.
    const came = told.map((one) => (one.kind === 'message' && one.arrivedAt) || Infinity);
    expect(came).toEqual(came.toSorted((one, other) => one - other));
    expect(came.map((at) => at < restarted)).toEqual([true, true, false]);
    await attached.stop();
  });
});
