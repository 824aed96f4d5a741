import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isUnseen, Refused } from '@messaging-gateway/messaging';
import { noMedia } from '@messaging-gateway/media/testing';
import {
  encryptionKeys,
  memoryCache,
  silentLogger,
  testClock,
  type TestClock,
  Slots,
} from '@messaging-gateway/runtime';
import { noSpans } from '@messaging-gateway/tracing';
import { type EngineListener, nothingLeft } from '../engine/engine.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import { openStore, sessionKey, sessionsFolder, until } from '../testing/engine-harness.ts';
import type { HeldLease } from './open-session.ts';
import { HeldProfile } from '../holding/held-profile.ts';
import { LoginTurns } from './login-turns.ts';
import { type ConnectionParts, ProfileConnection } from './profile-connection.ts';
import type { Note } from './told-status.ts';
import { ConnectionFaults } from './connection-faults.ts';
import { QrCodes } from './qr-codes.ts';
import { Reconciling } from '../holding/upkeep.ts';

describe('the connection of a profile', () => {
  let clock: TestClock;
  let connection: ProfileConnection;
  let listener: EngineListener;
  let notes: Note[];
  let starts: number;
  /** Promise that the engine waits for before it says whether it is linked. */
  let linked: Promise<boolean>;
  let lease: HeldLease;
  let store: SessionDataStore;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
  });
  const heldBy = (by: HeldLease, isWanted = async (): Promise<boolean | undefined> => undefined): HeldProfile =>
    new HeldProfile({ lease: by, connection, clock, isWanted });
  afterEach(() => connection.leave());
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  beforeEach(() => {
    clock = testClock();
    lease = {
      profileId: randomUUID(),
      organizationId: 'o',
      epoch: 1,
      isAlive: () => true,
      isHeld: async () => true,
      isLost: async () => false,
    } as unknown as HeldLease;
    [notes, starts, linked] = [[], 0, Promise.resolve(true)];
    const session = {
      start: async () => void (starts += 1),
      stop: async () => undefined,
      isLinked: () => linked,
    };
    connection = new ProfileConnection({
      lease,
      engine: {
        kind: 'socket-engine',
        capabilities: new Set(),
        session: (parts: { listener: EngineListener }) => {
          listener = parts.listener;
          return session;
        },
      },
      sessions: store,
      store: { handle: async (_stream: unknown, _id: string, note: Note) => void notes.push(note) },
      qrCodes: new QrCodes(memoryCache(clock), encryptionKeys(sessionKey)),
      faults: new ConnectionFaults(memoryCache(clock)),
      turns: new LoginTurns(clock, 100),
      media: noMedia,
      sources: {},
      downloads: new Slots(1),
      clock,
      log: silentLogger,
      spans: noSpans,
      readFollowed: async () => new Map(),
      onSent: () => undefined,
      onUnreadable: () => undefined,
      onIgnored: () => undefined,
      secretDays: 30,
      onTakenOver: () => undefined,
    } as unknown as ConnectionParts);
  });
  const told = (): string[] => notes.map((note) => (note.type === 'NoteStatus' ? note.status : note.type));
  const open = async (): Promise<void> => {
    await connection.connect();
    await until(() => starts === 1);
    listener.open({ phoneNumber: '4915120000001', lid: undefined, pushName: undefined });
    await until(() => told().includes('NoteConnected'));
  };

  it.each(['disconnect', 'leave'] as const)(
    'tells nothing of an end that was under way when it had to %s',
    async (what) => {
      await open();
      const answer = Promise.withResolvers<boolean>();
      linked = answer.promise;
      listener.closed({ cause: 'lost', detail: 'CONNECTION_ENDED' });
      const done = connection[what]();
      answer.resolve(true);
      await done;
      clock.advance(120_000);
      await connection.sweep();
      expect(told().filter((one) => one === 'reconnecting')).toEqual([]);
      expect([connection.status, starts]).toEqual(['disconnected', 1]);
    },
  );

  it.each([
    ['its session data was fenced off', true, new Refused('ENGINE_REFUSED', 'Not made ready.', nothingLeft)],
    ['it has no connection any more', true, new Refused('PROFILE_NOT_CONNECTED', 'Not connected.', nothingLeft)],
    ['the recipient was refused', false, new Refused('ENGINE_REFUSED', 'No.', { code: '463' })],
  ])('is asked of its new holder when another one has taken it and %s: %s', async (_, isAskedAgain, refusal) => {
    await open();
    const others = { ...lease, isLost: async () => true } as unknown as HeldLease;
    const sender = { send: () => Promise.reject(refusal) };
    connection.current = () => ({ sender }) as never;
    const asked = heldBy(others).ask('o', (session) => session.sender.send({} as never, 0));
    await expect(asked.catch((error: unknown) => isUnseen(error))).resolves.toBe(isAskedAgain);
    const dead = { ...lease, isAlive: () => false } as unknown as HeldLease;
    await expect(heldBy(dead).ask('o', async () => undefined)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { nothingLeft: true, unseen: true },
    });
  });

  it('comes again in its turn, and a user who asks for it does not wait behind others', async () => {
    await open();
    listener.closed({ cause: 'lost', detail: 'CONNECTION_ENDED' });
    await until(() => told().includes('reconnecting'));
    clock.advance(1_000);
    await until(() => starts === 2);
    expect(await connection.connect()).toBe('reconnecting');
  });

  it('is told once more when its row says something else, and is made what the row wants when that stays so', async () => {
    await open();
    let row: { id: string; status: string; is_wanted: boolean } = {
      id: lease.profileId,
      status: 'reconnecting',
      is_wanted: true,
    };
    const sql = { query: async () => [row] };
    const compared = new Reconciling({ sql, log: silentLogger } as never);
    const held = heldBy(lease, async () => row.is_wanted);
    await compared.compare([held]);
    await until(() => notes.length === 3);
    expect(notes.at(-1)).toMatchObject({ type: 'NoteConnected', phoneNumber: '4915120000001', isKnown: true });
    row = { ...row, status: 'connected' };
    await compared.compare([held]);
    expect(notes).toHaveLength(3);
    row = { ...row, is_wanted: false };
    await compared.compare([held]);
    expect(connection.isWanted).toBe(true);
    await compared.compare([held]);
    expect(connection.isWanted).toBe(false);
    row = { ...row, is_wanted: true };
    await compared.compare([held]);
    await compared.compare([held]);
    await until(() => starts === 2);
  });
});
