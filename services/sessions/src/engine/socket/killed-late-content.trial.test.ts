import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { sessionsFolder, until } from '../../testing/engine-harness.ts';
import { EngineProcess } from '../../testing/engine-process.ts';
import type { Fact } from '../engine.ts';

type Message = Extract<Fact, { kind: 'message' }>;

describe('a process killed with -9', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  const phone = '4915120000330';
  const contact = '4915100000330';
  const profileId = randomUUID();
  let epoch = 0;
  let engine: EngineProcess;

  const started = async (): Promise<string | undefined> => {
    engine = new EngineProcess();
    epoch += 1;
    const { url, rootKey } = simulator;
    await engine.ask({ do: 'open', url, rootKey, directory: folder.directory, profileId, epoch });
    return engine.ask<string | undefined>({ do: 'start' });
  };
  const killedAndStarted = async (): Promise<void> => {
    await engine.kill();
    await started();
    await engine.ask({ do: 'connected' });
  };
  const facts = (): Promise<Fact[]> => engine.ask<Fact[]>({ do: 'inbox' });
  const messages = async (id: string): Promise<Message[]> =>
    (await facts()).filter((fact): fact is Message => fact.kind === 'message' && fact.data.networkMessageId === id);
  const edits = async (id: string): Promise<Fact[]> =>
    (await facts()).filter((fact) => fact.kind === 'change' && fact.data.target.networkMessageId === id);
  const confirmed = () => until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
  const unavailable = [{ tag: 'unavailable', attrs: {} }];

  beforeAll(async () => {
    simulator = await startSimulator();
    folder = await sessionsFolder();
    const qr = await started();
    await simulator.scan(phone, qr ?? '');
    await engine.ask({ do: 'connected' });
  });
  afterAll(async () => {
    await engine.kill();
    await simulator.stop();
    await folder.remove();
  });

  it('between a message without content and its publication publishes it once', async () => {
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'An ad', instead: unavailable });
    await confirmed();
    expect(await messages(id)).toEqual([]);
    await killedAndStarted();
    await until(async () => (await messages(id)).length > 0);
    await killedAndStarted();
    expect(await messages(id)).toMatchObject([{ data: { content: { content: { reason: 'notDelivered' } } } }]);
  });

  it('between a publication without content and the content recovers the message once', async () => {
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Later', instead: unavailable });
    await until(async () => (await messages(id)).length > 0);
    await killedAndStarted();
    await simulator.sendFromContact(contact, { to: phone, id, text: 'Later' });
    await until(async () => (await messages(id)).length > 1);
    await killedAndStarted();
    await simulator.sendFromContact(contact, { to: phone, id, text: 'Later' });
    await confirmed();
    expect((await messages(id)).map(({ data }) => data.recovered)).toEqual([undefined, true]);
  });

  it('between a publication without content and the answer of the phone recovers the message once', async () => {
    const { id } = await simulator.sendFromContact(contact, {
      to: phone,
      text: 'From the phone',
      instead: unavailable,
    });
    await until(async () => (await messages(id)).length > 0);
    await simulator.configureContact(phone, { resendAfterMs: 0 });
    await killedAndStarted();
    await until(async () => (await messages(id)).length > 1);
    expect((await messages(id)).map(({ data }) => data.recovered)).toEqual([undefined, true]);
    await simulator.configureContact(phone, { resendAfterMs: -1 });
  });

  it('between a message and an encrypted edit reads the edit', async () => {
    const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'before' });
    await until(async () => (await messages(id)).length > 0);
    await killedAndStarted();
    const content = { type: 'edit', target: id, text: 'after', encrypted: true } as const;
    await simulator.sendFromContact(contact, { to: phone, content });
    await until(async () => (await edits(id)).length > 0);
    expect(await edits(id)).toMatchObject([{ data: { change: { content: { content: { text: 'after' } } } } }]);
  });

  it('between an encrypted edit and the message that it changes reads the edit', async () => {
    const id = '3EB0EARLYKILLED';
    const messageSecret = Buffer.alloc(32, 7).toString('base64');
    const original = {
      type: 'raw',
      message: { conversation: 'before', messageContextInfo: { messageSecret } },
    } as const;
    await simulator.sendFromContact(contact, { to: phone, id, content: original, instead: unavailable });
    const content = { type: 'edit', target: id, text: 'after', encrypted: true } as const;
    await simulator.sendFromContact(contact, { to: phone, content });
    await confirmed();
    await killedAndStarted();
    await simulator.sendFromContact(contact, { to: phone, id, content: original });
    await until(async () => (await edits(id)).length > 0);
    expect(await edits(id)).toHaveLength(1);
    expect((await messages(id)).at(-1)).toMatchObject({ data: { content: { content: { text: 'before' } } } });
  });
});
