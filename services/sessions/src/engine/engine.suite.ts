import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  linkByQr,
  newNetworkId,
  openStore,
  sessionsFolder,
  testProfile,
  until,
  type TestProfile,
} from '../testing/engine-harness.ts';
import type { EngineUnderTest } from '../testing/engine-under-test.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';

/** Behaviour of every engine, on the simulated network with the real client. */
export function engineSuite(name: string, engineOn: EngineUnderTest): void {
  describe(name, () => {
    let simulator: Simulator;
    let folder: Awaited<ReturnType<typeof sessionsFolder>>;
    let store: SessionDataStore;
    let profile: TestProfile;
    const phone = '4915120000200';
    const contact = '4915100000200';

    beforeAll(async () => {
      simulator = await startSimulator();
      folder = await sessionsFolder();
      store = await openStore(folder.directory);
      profile = await testProfile(simulator, store, undefined, undefined, undefined, engineOn);
      await linkByQr(profile, simulator, phone);
    });
    afterAll(async () => {
      await profile.session.stop();
      await simulator.stop();
      await store.close();
      await folder.remove();
    });

    const reconnected = async (): Promise<void> => {
      const opened = profile.opened;
      await profile.session.start();
      await until(() => profile.opened > opened);
    };
    /** Opens the profile anew, as a new process would: with nothing of the old one's memory. */
    const restarted = async (): Promise<void> => {
      await profile.session.stop();
      await store.close();
      store = await openStore(folder.directory);
      profile = await testProfile(simulator, store, profile.profileId, Date.now(), undefined, engineOn);
      await profile.session.start();
      await until(() => profile.opened > 0);
    };
    const texts = async (): Promise<string[]> => (await simulator.messages(contact)).map(({ text }) => text);

    it('knows which numbers are on the network', async () => {
      await simulator.configureContact('4915199999999', { exists: false });
      expect(await profile.session.checkNumbers([contact, '4915199999999', phone])).toEqual(
        expect.arrayContaining([
          { phone: contact, jid: `${contact}@c.us` },
          { phone, jid: `${phone}@c.us` },
        ]),
      );
      expect(await profile.session.checkNumbers(['4915199999999'])).toEqual([]);
    });

    it('shows presence and typing of the chats that are followed, and of no others', async () => {
      const other = '4915100000201';
      const chat = `${contact}@c.us`;
      const seen = (): unknown[] => profile.presences.map(({ chat: shownIn, presence }) => [shownIn, presence]);
      for (const person of [contact, other]) await simulator.showTyping(person, { to: phone, state: 'composing' });
      await profile.session.followPresence([chat]);
      await until(() => profile.presences.length === 1);
      for (const person of [other, contact]) {
        for (const state of ['recording', 'paused'] as const) await simulator.showTyping(person, { to: phone, state });
        await simulator.showPresence(person, { state: 'unavailable', lastSeen: 1_767_225_600 });
      }
      await until(() => profile.presences.length === 4);
      expect(seen()).toEqual(['available', 'recording', 'paused', 'unavailable'].map((presence) => [chat, presence]));
      expect(profile.presences.at(-1)?.lastSeen).toBe(Date.parse('2026-01-01T00:00:00.000Z'));
      expect((await simulator.phone(phone)).devices[0]?.presence).toBe('available');
      await profile.session.followPresence([]);
      await until(async () => (await simulator.phone(phone)).devices[0]?.presence === 'unavailable');
    });

    it('sends text that the contact reads, and hears how far it has come', async () => {
      const id = newNetworkId();
      expect(await profile.send(contact, 'Hello', id)).toEqual({ outcome: 'acknowledged' });
      expect(await texts()).toEqual(['Hello']);
      await simulator.read(contact);
      await until(() =>
        profile.facts.some(
          (fact) => fact.kind === 'receipt' && fact.data.networkMessageId === id && fact.data.status === 'read',
        ),
      );
    });

    it.each(['lid', 'phone'] as const)(
      'receives under %s, and knows the contact by phone and LID',
      async (addressing) => {
        await simulator.configureContact(contact, { addressing });
        await simulator.sendFromContact(contact, { to: phone, text: `by ${addressing}` });
        const fact = await until(() =>
          profile.facts.find(
            (one) => one.kind === 'message' && JSON.stringify(one.data.content).includes(`by ${addressing}`),
          ),
        );
        expect(fact.data).toMatchObject({
          fromMe: false,
          delivery: 'live',
          chat: { jid: `${contact}@c.us`, phone: contact, lid: expect.stringMatching(/@lid$/) },
          author: { phone: contact },
        });
      },
    );

    it('sees what the owner writes on the phone', async () => {
      await simulator.sendFromPhone(phone, { to: contact, text: 'from the phone' });
      const fact = await until(() => profile.facts.find((one) => one.kind === 'message' && one.data.fromMe));
      expect(fact.data).toMatchObject({
        chat: { jid: `${contact}@c.us` },
        author: { jid: `${phone}@c.us` },
        content: { type: 'text', content: { text: 'from the phone' } },
      });
    });

    it('tells a number that is not on the network, and a refusal', async () => {
      await simulator.configureContact('4915100000201', { exists: false });
      expect(await profile.send('4915100000201', 'x')).toMatchObject({ outcome: 'refused', code: 'RECIPIENT_UNKNOWN' });
      await simulator.configureContact('4915100000202', { refuse: 463 });
      expect(await profile.send('4915100000202', 'x')).toMatchObject({
        outcome: 'refused',
        code: 'PROFILE_RESTRICTED',
      });
      await simulator.configureContact('4915100000203', { refuse: 479 });
      expect(await profile.send('4915100000203', 'x')).toMatchObject({ outcome: 'refused', code: 'ENGINE_REFUSED' });
    });

    it('takes a message that comes twice once', async () => {
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'twice', times: 2 });
      await simulator.sendFromContact(contact, { to: phone, text: 'after twice' });
      await until(() => profile.facts.some((fact) => JSON.stringify(fact.data).includes('after twice')));
      expect(
        new Set(
          profile.facts
            .filter((fact) => fact.kind === 'message' && fact.data.networkMessageId === id)
            .map((fact) => JSON.stringify(fact.data)),
        ).size,
      ).toBe(1);
    });

    it('asks again for what it cannot read, and gets it', async () => {
      await simulator.sendFromContact(contact, { to: phone, text: 'spoiled', unreadable: true });
      await until(() => profile.facts.some((fact) => JSON.stringify(fact.data).includes('spoiled')));
    });

    it('sends again what the contact cannot read, also after a restart', async () => {
      await simulator.configureContact(contact, { askRetry: 1 });
      expect(await profile.send(contact, 'again, please')).toEqual({ outcome: 'acknowledged' });
      await until(async () => (await texts()).includes('again, please'));
      await restarted();
      await simulator.configureContact(contact, { askRetry: 1 });
      await simulator.drop(phone, 'after-ack');
      expect(await profile.send(contact, 'after the restart')).toEqual({ outcome: 'acknowledged' });
      await restarted();
      await until(async () => (await texts()).includes('after the restart'));
    });

    it('tells an acknowledgement that comes when nobody waits for it any more', async () => {
      await simulator.configureContact(contact, { holdAck: 5_000 });
      expect(await profile.send(contact, 'acknowledged late', newNetworkId(), 4_000)).toEqual({
        outcome: 'handed-over',
      });
      await until(() => profile.late.length > 0);
      expect(profile.late).toEqual([{ outcome: 'acknowledged' }]);
      await simulator.configureContact(contact, { holdAck: 0 });
    });

    it('does not know what became of a message when the connection drops before the answer', async () => {
      const id = newNetworkId();
      await simulator.drop(phone, 'before-ack');
      expect(await profile.send(contact, 'taken', id)).toEqual({ outcome: 'handed-over' });
      await until(() => profile.closed.at(-1) === 'lost');
      await reconnected();
      expect(await profile.send(contact, 'taken', id)).toEqual({ outcome: 'acknowledged' });
      expect((await texts()).filter((text) => text === 'taken')).toHaveLength(1);
    });

    it('loses nothing that the network did not take', async () => {
      const id = newNetworkId();
      await simulator.drop(phone, 'before-stanza');
      expect(await profile.send(contact, 'not taken', id)).toEqual({ outcome: 'handed-over' });
      await reconnected();
      expect(await profile.send(contact, 'not taken', id)).toEqual({ outcome: 'acknowledged' });
      expect((await texts()).filter((text) => text === 'not taken')).toHaveLength(1);
    });

    it('gets what came while it was away, as missed', async () => {
      await profile.session.stop();
      await simulator.sendFromContact(contact, { to: phone, text: 'while away' });
      await reconnected();
      const fact = await until(() => profile.facts.find((one) => JSON.stringify(one.data).includes('while away')));
      expect(fact.data).toMatchObject({ delivery: 'replayed' });
    });

    it('sends nothing without a connection', async () => {
      await profile.session.stop();
      await expect(profile.send(contact, 'x')).rejects.toMatchObject({
        code: 'PROFILE_NOT_CONNECTED',
        details: { nothingLeft: true },
      });
      await reconnected();
    });

    it('tells a network that refuses connections', async () => {
      await simulator.configureNetwork({ acceptConnections: false });
      await simulator.drop(phone);
      await until(() => profile.closed.at(-1) === 'lost');
      const before = profile.closed.length;
      await profile.session.start();
      await until(() => profile.closed.length > before);
      expect(profile.closed.at(-1)).toBe('lost');
      await simulator.configureNetwork({ acceptConnections: true });
      await reconnected();
    });

    it('tells why it was closed: replaced, version refused, logged out', async () => {
      await simulator.conflict(phone);
      await until(() => profile.closed.at(-1) === 'replaced');
      await simulator.configureNetwork({ clientVersionMinimum: [99, 0, 0] });
      await profile.session.start();
      await until(() => profile.closed.at(-1) === 'version-refused');
      await simulator.configureNetwork({ clientVersionMinimum: [0, 0, 0] });
      await reconnected();
      await simulator.unlink(phone);
      await until(() => profile.closed.at(-1) === 'logged-out');
    });
  });
}
