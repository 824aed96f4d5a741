import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { startSimulator, type Content, type ShownMessage, type Simulator } from '@messaging-gateway/network-simulator';
import type { Fact } from '../engine/engine.ts';
import {
  linkByQr,
  newNetworkId,
  openStore,
  sessionsFolder,
  testProfile,
  until,
  type TestProfile,
} from './engine-harness.ts';
import type { EngineUnderTest } from './engine-under-test.ts';

type Message = Extract<Fact, { kind: 'message' }>;
type Change = Extract<Fact, { kind: 'change' }>;

export const bytes = randomBytes(300_000);
export const hash = (what: Uint8Array): string => createHash('sha256').update(what).digest('hex');

/** Keys are types here, and nothing can be had by URL. */
const sources: MediaSources = {
  open: async (source) => {
    if ('url' in source) throw new Refused('MEDIA_UNAVAILABLE', 'Not there.');
    const parts = Array.from({ length: 10 }, (_, part) => bytes.subarray(part * 30_000, (part + 1) * 30_000));
    return { stream: Readable.from(parts, { objectMode: false }), mimetype: source.key };
  },
};

/** A linked profile and a contact who write to each other. */
export interface ContentsTest {
  readonly simulator: Simulator;
  readonly profile: TestProfile;
  readonly phone: string;
  readonly contact: string;
  /** Sends, and gives what the contact sees. */
  sent(content: OutgoingContentOf): Promise<ShownMessage>;
  /** The contact writes; gives the fact that comes of it. */
  received(content: Content): Promise<Message>;
  /** The contact writes something that is no message; gives the kind that is counted. */
  passedOver(message: Record<string, unknown>): Promise<string>;
  /** The contact changes a message; gives the fact that comes of it. */
  changed(content: Content & { target: string }): Promise<Change['data']>;
  stop(): Promise<void>;
}

export async function contentsTest(phone: string, contact: string, engineOn?: EngineUnderTest): Promise<ContentsTest> {
  const simulator = await startSimulator();
  const folder = await sessionsFolder();
  const store = await openStore(folder.directory);
  const profile = await testProfile(simulator, store, undefined, undefined, sources, engineOn);
  await linkByQr(profile, simulator, phone);
  const written = (content: Content): Promise<{ id: string }> =>
    simulator.sendFromContact(contact, { to: phone, content });
  return {
    simulator,
    profile,
    phone,
    contact,
    sent: async (content) => {
      const id = newNetworkId();
      expect(await profile.sendContent(contact, content, id)).toEqual({ outcome: 'acknowledged' });
      return until(async () => (await simulator.messages(contact)).find((message) => message.id === id));
    },
    received: async (content) => {
      const { id } = await written(content);
      return until(() =>
        profile.facts.find((fact): fact is Message => fact.kind === 'message' && fact.data.networkMessageId === id),
      );
    },
    passedOver: async (message) => {
      const before = profile.ignored.length;
      await written({ type: 'raw', message });
      return until(() => profile.ignored[before]);
    },
    changed: async (content) => {
      const before = profile.facts.length;
      await written(content);
      const fact = await until(() =>
        profile.facts
          .slice(before)
          .find((one): one is Change => one.kind === 'change' && one.data.target.networkMessageId === content.target),
      );
      return fact.data;
    },
    stop: async () => {
      await profile.session.stop();
      await simulator.stop();
      await store.close();
      await folder.remove();
    },
  };
}
