import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import type { Death } from '../../testing/engine.child.ts';
import { newNetworkId, sessionsFolder, until } from '../../testing/engine-harness.ts';
import { EngineProcess } from '../../testing/engine-process.ts';
import type { Fact, SendOutcome } from '../engine.ts';

describe.each([
  ['a person', false],
  ['a group', true],
])('a process killed with -9 that writes with %s', (_, isGroup) => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  const phone = '4915120000100';
  const contact = '4915100000100';
  const readers = isGroup ? [contact, '4915100000101'] : [contact];
  /** Where both sides write to. */
  const chat = { ours: contact, theirs: phone };
  const profileId = randomUUID();
  let epoch = 0;
  let engine: EngineProcess;

  const started = async (): Promise<string | undefined> => {
    engine = new EngineProcess();
    epoch += 1;
    await engine.ask({
      do: 'open',
      url: simulator.url,
      rootKey: simulator.rootKey,
      directory: folder.directory,
      profileId,
      epoch,
    });
    return engine.ask<string | undefined>({ do: 'start' });
  };
  const again = async (): Promise<void> => {
    await engine.died;
    await started();
    await engine.ask({ do: 'connected' });
  };
  const send = (text: string, id = newNetworkId()): Promise<SendOutcome> =>
    engine.ask({ do: 'send', to: chat.ours, text, id });
  const write = (text: string) => simulator.sendFromContact(contact, { to: chat.theirs, text });
  /** Texts that each of the others has been shown; the same to all of them. */
  const shown = async (): Promise<string[]> => {
    const [first = [], ...rest] = await Promise.all(
      readers.map(async (reader) => (await simulator.messages(reader, { from: phone })).map(({ text }) => text)),
    );
    for (const other of rest) expect(other).toEqual(first);
    return first;
  };
  const received = async (): Promise<string[]> =>
    (await engine.ask<Fact[]>({ do: 'inbox' })).flatMap((fact) =>
      fact.kind === 'message' && fact.data.content.type === 'text' ? [fact.data.content.content.text] : [],
    );
  const die = (at: Death) => engine.ask({ do: 'die', at });

  beforeAll(async () => {
    simulator = await startSimulator();
    folder = await sessionsFolder();
    const qr = await started();
    await simulator.scan(phone, qr ?? '');
    await engine.ask({ do: 'connected' });
    if (isGroup) {
      const { id } = await simulator.createGroup({
        owner: contact,
        subject: 'Choir',
        participants: [phone, readers[1] ?? ''],
      });
      Object.assign(chat, { ours: id, theirs: id });
    }
    await send('first');
    await write('hello');
    await until(async () => (await received()).includes('hello'));
  });
  afterAll(async () => {
    await engine.kill();
    await simulator.stop();
    await folder.remove();
  });

  it('right before a message is written: the repeat arrives, and so does the next one', async () => {
    const id = newNetworkId();
    await die('before-frame');
    await expect(send('before', id)).rejects.toThrow('died');
    await again();
    expect(await shown()).not.toContain('before');
    expect(await send('before', id)).toEqual({ outcome: 'acknowledged' });
    expect(await send('next')).toEqual({ outcome: 'acknowledged' });
    expect((await shown()).slice(-2)).toEqual(['before', 'next']);
  });

  it('right after a message was written: the repeat is shown once, and the next ones are read on both sides', async () => {
    const id = newNetworkId();
    await die('after-frame');
    await expect(send('after', id)).rejects.toThrow('died');
    await again();
    expect(await send('after', id)).toEqual({ outcome: 'acknowledged' });
    expect(await send('next after')).toEqual({ outcome: 'acknowledged' });
    expect((await shown()).slice(-2)).toEqual(['after', 'next after']);
    await write('read you');
    await until(async () => (await received()).includes('read you'));
  });

  it.each<Death>(['before-frame', 'after-frame'])(
    '%s that confirms an inbound message: it is kept once, and the next is read',
    async (at) => {
      await die(at);
      await write(`inbound ${at}`);
      await again();
      // Another frame than the confirmation may have been the last: then it comes again after the login.
      await until(async () => (await received()).includes(`inbound ${at}`));
      expect((await received()).filter((text) => text === `inbound ${at}`)).toHaveLength(1);
      await write(`next ${at}`);
      await until(async () => (await received()).includes(`next ${at}`));
      expect((await received()).filter((text) => text === `inbound ${at}`)).toHaveLength(1);
      expect(await send(`answer ${at}`)).toEqual({ outcome: 'acknowledged' });
      expect((await simulator.statistics()).retriesAsked).toBe(0);
    },
  );

  it('right after a message that came too early was kept: those before it are read, and none is asked for again', async () => {
    await die('before-frame');
    const late = ['late one', 'late two', 'late three'];
    for (const text of late) await simulator.sendFromContact(contact, { to: chat.theirs, text, late: true });
    await write('early');
    await again();
    await until(async () => (await received()).includes('late three'));
    await write('after the late ones');
    await until(async () => (await received()).includes('after the late ones'));
    expect((await received()).slice(-5)).toEqual(['early', ...late, 'after the late ones']);
    expect((await simulator.statistics()).retriesAnswered).toBe(0);
  });

  it.each<Death>(['before-frame', 'after-frame'])('%s that confirms a receipt: the receipt is kept', async (at) => {
    const id = newNetworkId();
    await send(`for ${at}`, id);
    await die(at);
    await simulator.read(contact, { ids: [id] });
    await again();
    await until(async () =>
      (await engine.ask<Fact[]>({ do: 'inbox' })).some(
        (fact) => fact.kind === 'receipt' && fact.data.networkMessageId === id && fact.data.status === 'read',
      ),
    );
  });
});
