import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localMediaStore, type MediaStore } from '@messaging-gateway/media';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { MediaGone, type Attachment, type Fact } from '../engine/engine.ts';
import { Slots } from '../engine/slots.ts';
import type { SessionData, SessionDataStore } from '../session-data/session-data-store.ts';
import { openStore, sessionsFolder, until } from '../testing/engine-harness.ts';
import { AttachedMedia, type AttachedFact } from './attached-media.ts';

const organizationId = '0198c0de-0000-7000-8000-000000000009';
const bytes = Buffer.from('media of a message');
const attachment: Attachment = {
  type: 'document',
  key: 'a2V5',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};
const person = { jid: '4915112345678@c.us', phone: '4915112345678' };
const fact = (profileId: string, networkMessageId: string): AttachedFact => ({
  kind: 'message',
  data: {
    profileId,
    networkMessageId,
    chat: person,
    author: person,
    fromMe: false,
    pushName: null,
    sentAt: '2026-01-01T00:00:00.000Z',
    content: { type: 'document', content: { media: { mimetype: 'text/plain', size: bytes.length } } },
    delivery: 'live',
  },
  attachment,
});

describe('media of messages that came in', () => {
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let directory: string;
  let media: MediaStore;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    directory = await mkdtemp(join(tmpdir(), 'media-'));
    media = localMediaStore(directory);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
    await rm(directory, { recursive: true });
  });

  type Download = (attachment: Attachment, signal: AbortSignal) => Promise<Readable>;

  /** Messages with media kept by one process and taken up by another, as it is after a kill. */
  const kept = async (data: SessionData, ...ids: string[]): Promise<void> => {
    const { attached } = working(data, () => Promise.reject(new Error('Not here.')));
    await data.commit(attached.keep(ids.map((id) => fact(data.profileId, id))).changes);
  };
  const working = (data: SessionData, download: Download) => {
    const told: Fact[] = [];
    const facts = { keep: (more: readonly Fact[]) => ({ changes: [], kept: () => void told.push(...more) }) };
    const tools = { clock: systemClock, log: silentLogger, slots: new Slots(8) };
    const attached = new AttachedMedia({ organizationId, data, engine: { download }, media, facts, ...tools });
    return { attached, told };
  };
  const opened = (): Promise<SessionData> => store.open(randomUUID(), 1);
  const mediaOf = (told: readonly Fact[]): unknown[] =>
    told.map((one) => one.kind === 'message' && 'media' in one.data.content.content && one.data.content.content.media);

  it('are in the store when the message is told', async () => {
    const data = await opened();
    await kept(data, 'one');
    const { attached, told } = working(data, async () => Readable.from([bytes]));
    attached.start();
    await until(() => told.length === 1);
    const [found] = mediaOf(told) as { key: string }[];
    expect(found).toEqual({ key: expect.stringContaining(organizationId), mimetype: 'text/plain', size: bytes.length });
    expect(told[0]).not.toHaveProperty('attachment');
    const object = await media.get(found?.key ?? '');
    expect(Buffer.concat((await object?.stream.toArray()) ?? [])).toEqual(bytes);
    expect(await data.scan('media', '', 10)).toEqual([]);
    await attached.stop();
  });

  it.each<[string, Download]>([
    ['that are gone', () => Promise.reject(new MediaGone('Gone.'))],
    ['that are others than were sent', async () => Readable.from([Buffer.from('other bytes')])],
  ])('%s hold back no message: it is told without a key', async (_, download) => {
    const data = await opened();
    await kept(data, 'one');
    const { attached, told } = working(data, download);
    attached.start();
    await until(() => told.length === 1);
    expect(mediaOf(told)).toEqual([{ mimetype: 'text/plain', size: bytes.length }]);
    await attached.stop();
  });

  it('are asked for again after a failure', async () => {
    const data = await opened();
    await kept(data, 'one');
    let asked = 0;
    const { attached, told } = working(data, async () => {
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
    const data = await opened();
    await kept(data, 'stuck');
    const stuck = working(
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
    const next = working(data, (_, signal) => {
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
    const data = await opened();
    await kept(data, ...Array.from({ length: 60 }, (_, number) => `${number}`));
    let [running, most] = [0, 0];
    const { attached, told } = working(data, async () => {
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
