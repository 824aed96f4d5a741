import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { localMediaStore, type MediaStore } from '@messaging-gateway/media';
import { type Clock, silentLogger, systemClock, Slots } from '@messaging-gateway/runtime';
import type { Attachment, Fact } from '../engine/engine.ts';
import type { SessionData } from '../session-data/session-data-store.ts';
import { AttachedMedia, factsKept } from '../traffic/attached-media.ts';
import type { AttachedFact } from '../traffic/media-fetcher.ts';
import { openStore, sessionsFolder } from './engine-harness.ts';

export const organizationId = '0198c0de-0000-7000-8000-000000000009';
export const bytes = Buffer.from('media of a message');
export type Download = (attachment: Attachment, signal: AbortSignal) => Promise<Readable>;

const attachment: Attachment = {
  type: 'document',
  key: 'a2V5',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};
const person = { jid: '4915112345678@c.us', phone: '4915112345678' };

/** A message with media; each in a chat of its own unless one is named. */
export const withMedia = (
  profileId: string,
  networkMessageId: string,
  chat: AttachedFact['data']['chat'] = { jid: `${networkMessageId}@c.us` },
): AttachedFact => ({
  kind: 'message',
  data: {
    profileId,
    networkMessageId,
    chat,
    author: person,
    fromMe: false,
    pushName: null,
    sentAt: '2026-01-01T00:00:00.000Z',
    content: { type: 'document', content: { media: { mimetype: 'text/plain', size: bytes.length } } },
    delivery: 'live',
  },
  attachment,
});

/** Media of the facts that were told. */
export const mediaOf = (told: readonly Fact[]): unknown[] =>
  told.map((one) => one.kind === 'message' && 'media' in one.data.content.content && one.data.content.content.media);

/** Facts as the engine hands them in, and what is told of them in the end. */
interface Working {
  readonly attached: AttachedMedia;
  readonly told: Fact[];
  come(...facts: readonly Fact[]): Promise<void>;
}

export interface WaitingMedia {
  readonly media: MediaStore;
  opened(): Promise<SessionData>;
  working(data: SessionData, download: Download, clock?: Clock): Promise<Working>;
  close(): Promise<void>;
}

/** Session data and a store of media on the disk; downloads are the test's. */
export async function waitingMedia(): Promise<WaitingMedia> {
  const folder = await sessionsFolder();
  const store = await openStore(folder.directory);
  const directory = await mkdtemp(join(tmpdir(), 'media-'));
  const media = localMediaStore(directory);
  return {
    media,
    opened: () => store.open(randomUUID(), 1),
    working: async (data, download, clock = systemClock) => {
      const told: Fact[] = [];
      const facts = { keep: (more: readonly Fact[]) => ({ changes: () => [], kept: () => void told.push(...more) }) };
      const tools = { clock, log: silentLogger, slots: new Slots(8) };
      const attached = await AttachedMedia.over({ organizationId, data, engine: { download }, media, facts, ...tools });
      const come = async (...more: readonly Fact[]): Promise<void> => {
        for (const one of more) {
          const keeping = factsKept(facts, attached).keep([one]);
          await data.commit(keeping.changes());
          keeping.kept();
        }
      };
      return { attached, told, come };
    },
    close: async () => {
      await store.close();
      await folder.remove();
      await rm(directory, { recursive: true });
    },
  };
}
