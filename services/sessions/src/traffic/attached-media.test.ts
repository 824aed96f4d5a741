import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MediaGone } from '../engine/engine.ts';
import type { SessionData } from '../session-data/session-data-store.ts';
import { until } from '../testing/engine-harness.ts';
import { bytes, mediaOf, organizationId, waitingMedia, withMedia, type Download } from '../testing/waiting-media.ts';

describe('media of messages that came in', () => {
  let world: Awaited<ReturnType<typeof waitingMedia>>;
  beforeAll(async () => {
    world = await waitingMedia();
  });
  afterAll(() => world.close());

  /** Messages with media kept by one process and taken up by another, as it is after a kill. */
  const kept = async (data: SessionData, ...ids: string[]): Promise<void> => {
    const { attached } = await world.working(data, () => Promise.reject(new Error('Not here.')));
    await data.commit(attached.keep(ids.map((id) => withMedia(data.profileId, id))).changes());
  };

  it('are in the store when the message is told', async () => {
    const data = await world.opened();
    await kept(data, 'one');
    const { attached, told } = await world.working(data, async () => Readable.from([bytes]));
    attached.start();
    await until(() => told.length === 1);
    const [found] = mediaOf(told) as { key: string }[];
    expect(found).toEqual({ key: expect.stringContaining(organizationId), mimetype: 'text/plain', size: bytes.length });
    expect(told[0]).not.toHaveProperty('attachment');
    const object = await world.media.get(found?.key ?? '');
    expect(Buffer.concat((await object?.stream.toArray()) ?? [])).toEqual(bytes);
    expect(await data.scan('media', '', 10)).toEqual([]);
    await attached.stop();
  });

  it.each<[string, Download]>([
    ['that are gone', () => Promise.reject(new MediaGone('Gone.'))],
    ['that are others than were sent', async () => Readable.from([Buffer.from('other bytes')])],
  ])('%s hold back no message: it is told without a key', async (_, download) => {
    const data = await world.opened();
    await kept(data, 'one');
    const { attached, told } = await world.working(data, download);
    attached.start();
    await until(() => told.length === 1);
    expect(mediaOf(told)).toEqual([{ mimetype: 'text/plain', size: bytes.length }]);
    await attached.stop();
  });

  it('are asked for again after a failure', async () => {
    const data = await world.opened();
    await kept(data, 'one');
    let asked = 0;
    const { attached, told } = await world.working(data, async () => {
      asked += 1;
      if (asked === 1) throw new Error('Broken off.');
      return Readable.from([bytes]);
    });
    attached.start();
    await until(() => told.length === 1);
    expect(mediaOf(told)).toEqual([expect.objectContaining({ key: expect.any(String) })]);
    await attached.stop();
  });

  it('that stand still hold up no other message, and wait for the next start', async () => {
    const data = await world.opened();
    await kept(data, 'stuck');
    const stuck = await world.working(
      data,
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('Given up.')));
        }),
    );
    stuck.attached.start();
    await stuck.attached.stop();
    expect(stuck.told).toEqual([]);
    await kept(data, ...Array.from({ length: 120 }, (_, number) => `more ${number}`));
    let first = true;
    const next = await world.working(data, (_, signal) => {
      if (!first) return Promise.resolve(Readable.from([bytes]));
      first = false;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Given up.'))));
    });
    next.attached.start();
    await until(() => next.told.length === 120);
    await next.attached.stop();
    expect(await data.scan('media', '', 10)).toHaveLength(1);
  });

  it('are fetched a few at a time', async () => {
    const data = await world.opened();
    await kept(data, ...Array.from({ length: 60 }, (_, number) => `${number}`));
    let [running, most] = [0, 0];
    const { attached, told } = await world.working(data, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return Readable.from([bytes]);
    });
    attached.start();
    await until(() => told.length === 60);
    expect(most).toBeLessThanOrEqual(3);
    expect(new Set(told.map((one) => one.kind === 'message' && one.data.networkMessageId)).size).toBe(60);
    await attached.stop();
  });
});
