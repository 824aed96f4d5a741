import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomBytes, randomUUID } from 'node:crypto';
import { encryptionKeys } from '@messaging-gateway/runtime';
import type { Simulator } from '@messaging-gateway/network-simulator';
import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { MediaSources } from '@messaging-gateway/media';
import type {
  Attachment,
  CloseCause,
  Closing,
  EngineSession,
  Fact,
  FactKeeper,
  NetworkHealth,
  PresenceShown,
  SendOutcome,
} from '../engine/engine.ts';
import { openLmdbStore } from '../session-data/lmdb/lmdb-store.ts';
import type { SessionDataStore, Stored } from '../session-data/session-data-store.ts';
import { socketEngineOn, type EngineUnderTest, type TestNetwork } from './engine-under-test.ts';

/** Waits until something is so; the limit ends only what hangs. */
export async function until<Value>(
  find: () => Value | undefined | false | Promise<Value | undefined | false>,
  milliseconds = 150_000,
): Promise<Value> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Not within ${milliseconds} ms: ${find.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface TestProfile {
  readonly session: EngineSession;
  readonly profileId: string;
  readonly facts: Fact[];
  readonly qr: string[];
  readonly closed: CloseCause[];
  /** Answers of the network that nobody waited for any more. */
  readonly late: SendOutcome[];
  /** Of chats that are followed. */
  readonly presences: PresenceShown[];
  readonly healths: NetworkHealth[];
  opened: number;
  /** Facts on the disk that no journal has taken. */
  inbox(): Promise<Stored[]>;
  send(to: string, text: string, id?: string, timeoutMs?: number): Promise<SendOutcome>;
  sendContent(to: string, content: OutgoingContentOf, id?: string, encoded?: Uint8Array): Promise<SendOutcome>;
  /** The message that was sent under an id, encoded. */
  sent(id: string): Promise<Buffer | undefined>;
  download(attachment: Attachment, timeoutMs?: number): Promise<Readable>;
}

export const sessionKey = 'k'.repeat(32);
export const newNetworkId = (): string => `3EB0${randomBytes(8).toString('hex').toUpperCase()}`;

/** A folder for session data that is removed again. */
export async function sessionsFolder(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'sessions-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

export const openStore = (directory: string): Promise<SessionDataStore> =>
  openLmdbStore({ directory, encryption: encryptionKeys(sessionKey) });

/** A profile on an engine against the simulated network; facts are kept in a list. */
export async function testProfile(
  network: TestNetwork,
  store: SessionDataStore,
  profileId: string = randomUUID(),
  epoch = 1,
  media: MediaSources = { open: () => Promise.reject(new Error('This test has no media.')) },
  engineOn: EngineUnderTest = socketEngineOn,
): Promise<TestProfile> {
  const engine = engineOn(network);
  const told = {
    profileId,
    facts: [] as Fact[],
    qr: [] as string[],
    closed: [] as CloseCause[],
    late: [] as SendOutcome[],
    presences: [] as PresenceShown[],
    healths: [] as NetworkHealth[],
    opened: 0,
  };
  let sequence = 0;
  const facts: FactKeeper = {
    keep: (kept) => ({
      changes: () =>
        kept.map((fact) => ({
          table: 'inbox',
          id: String(Date.now() * 1000 + sequence++).padStart(20, '0'),
          value: Buffer.from(JSON.stringify(fact)),
        })),
      kept: () => void told.facts.push(...kept),
    }),
  };
  const listener = {
    qr: (qr: string) => void told.qr.push(qr),
    open: () => void (profile.opened += 1),
    named: () => undefined,
    presence: (shown: PresenceShown) => void told.presences.push(shown),
    health: (health: NetworkHealth) => void told.healths.push(health),
    closed: ({ cause }: Closing) => {
      told.closed.push(cause);
      if (cause === 'restart') void session.start();
    },
  };
  const data = await store.open(profileId, epoch);
  const session = engine.session({ organizationId: profileId, data, media, facts, listener });
  const deliver = (
    to: string,
    content: OutgoingContentOf,
    id: string,
    timeoutMs: number,
    encoded?: Uint8Array,
  ): Promise<SendOutcome> =>
    session.send({
      networkMessageId: id,
      to: to.includes('@') ? to : `${to}@c.us`,
      content,
      deadline: Date.now() + timeoutMs,
      encoded,
      late: (outcome) => void told.late.push(outcome),
      record: (message) => [
        { table: 'sent', id, value: Buffer.from('{}') },
        { table: 'content', id, value: message },
      ],
    });
  const profile: TestProfile = {
    ...told,
    session,
    inbox: () => data.scan('inbox', '', 1000),
    send: (to, text, id = newNetworkId(), timeoutMs = 30_000) =>
      deliver(to, { type: 'text', content: { text } }, id, timeoutMs),
    sendContent: (to, content, id = newNetworkId(), encoded) => deliver(to, content, id, 30_000, encoded),
    sent: async (id) => (await data.read('content', [id]))[0],
    download: (attachment, timeoutMs = 30_000) => engine.download(attachment, AbortSignal.timeout(timeoutMs)),
  };
  return profile;
}

/** Links a profile by QR code and waits until it is connected. */
export async function linkByQr(profile: TestProfile, simulator: Pick<Simulator, 'scan'>, phone: string): Promise<void> {
  await profile.session.start();
  // On a slow machine the code may have changed meanwhile.
  await until(async () => {
    const qr = profile.qr.at(-1);
    return (
      qr !== undefined &&
      simulator.scan(phone, qr).then(
        () => true,
        () => false,
      )
    );
  });
  await until(() => profile.opened > 0);
}
