import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import { broadcastsOf, type Broadcast } from '../../../services/standalone/end-to-end/broadcasting.ts';
import type { PlainWorld } from './world.ts';

/** A broadcast to many people, of whom some opt out while it goes out. */
export interface Crowd {
  /**
   * Something happens in the middle of the broadcast, while one opts out whose turn is yet to come, and one who was written to.
   * Resolves when it has gone on since, and both are known; then it stands still.
   */
  amid(what: () => Promise<void>): Promise<void>;
  /** Lets it go to its end. */
  expectOnceEach(): Promise<void>;
}

/** Messages of the broadcast before and after something happens. */
const steps = 8;
/** Patience that ends only what is broken, milliseconds. */
const patienceMs = 600_000;
const people = Array.from({ length: 200 }, (_, number) => ({
  phone: String(4_915_130_000_000 + number),
  name: `Person ${number}`,
}));
/** Every other one reads what arrives. */
const readers = people.filter((_, number) => number % 2 === 0);

/** Begins a broadcast of a tenant of its own, which stands still. */
export async function startCrowd({ api, network, installation }: PlainWorld, phone: string): Promise<Crowd> {
  const tenant = patient(await register(api));
  const { profileId } = await linkProfile(api, tenant, phone);
  const [host = ''] = installation.gateways;
  const mine = broadcastsOf({ network, gateway: { host } }, tenant, profileId);
  for (const reader of readers) await network.configureContact(reader.phone, { receipts: 'read' });
  await mine.addContacts(people);
  const { id } = await mine.create({ settings: { delayMin: 80, delayMax: 120 } });
  await mine.tell(id, 'start');

  const turnTo = (verb: 'pause' | 'resume', status: string): Promise<Broadcast> =>
    eventually(async () => {
      const now = await mine.get(id);
      if (now.status === status) return now;
      if (now.status === 'completed') throw new Error('The broadcast was over before everything had happened to it.');
      await tenant.call('POST', `/broadcast/${id}/${verb}`);
      return undefined;
    }, patienceMs);
  /** A pause that was asked for more than once may come late. */
  const goOn = async (more: number): Promise<void> => {
    const { stats } = await turnTo('resume', 'running');
    await eventually(async () => {
      const now = await turnTo('resume', 'running');
      return now.stats.sent >= stats.sent + more ? true : undefined;
    }, patienceMs);
  };
  const optedOut = { before: new Set<string>(), after: new Set<string>() };
  const optOut = async (): Promise<void> => {
    const waiting = (await mine.recipients(id, '&status=pending')).items.at(-1 - optedOut.before.size);
    const written = (await mine.recipients(id, '&status=sent')).items[optedOut.after.size];
    if (waiting === undefined || written === undefined) throw new Error('Nobody is left to opt out.');
    optedOut.before.add(waiting.phone);
    optedOut.after.add(written.phone);
    for (const { phone: who } of [waiting, written]) await network.sendFromContact(who, { to: phone, text: 'Stop!' });
  };
  const listed = async (): Promise<readonly (string | null)[]> => {
    const { body } = await tenant.call<{ items: { phone: string | null }[] }>('GET', '/suppressions?limit=200');
    return body.items.map((one) => one.phone);
  };
  const allHeard = async (): Promise<void> => {
    const wrote = new Set<string | null>([...optedOut.before, ...optedOut.after]);
    const until = Date.now() + patienceMs;
    const heard = await eventually(async () => {
      const now = new Set(await listed());
      return now.size >= wrote.size || Date.now() > until ? now : undefined;
    }, Infinity);
    const missing = people.filter(({ phone: who }) => wrote.has(who) && !heard.has(who));
    expect({
      missing: await Promise.all(missing.map((one) => network.written(one.phone))),
      strangers: [...heard].filter((who) => !wrote.has(who)),
      givenUp: missing.length === 0 ? [] : givenUp(installation),
    }).toEqual({ missing: [], strangers: [], givenUp: [] });
  };
  await turnTo('pause', 'paused');

  return {
    amid: async (what) => {
      await goOn(steps);
      await optOut();
      await what();
      await goOn(steps);
      await turnTo('pause', 'paused');
      await allHeard();
    },
    expectOnceEach: async () => {
      await tenant.call('POST', `/broadcast/${id}/resume`);
      await mine.until(id, ({ status, stats }) => status === 'completed' && stats.pending === 0);
      const skipped = optedOut.before.size;
      const sent = people.length - skipped;
      const read = readers.filter((one) => !optedOut.before.has(one.phone)).length;
      const { status, stats } = await mine.until(id, (now) => now.stats.delivered === sent && now.stats.read === read);
      expect({ status, ...stats }).toMatchObject({
        status: 'completed',
        total: people.length,
        sent,
        failed: 0,
        skipped,
        cancelled: 0,
      });
      const decrypted = await Promise.all(people.map((one) => mine.decrypted(one.phone)));
      expect(decrypted).toEqual(people.map((one) => (optedOut.before.has(one.phone) ? [] : [`Hello ${one.name}!`])));
      expect(await mine.recipients(id, '&status=sent')).toMatchObject({ total: sent });
    },
  };
}

/** Lines of the logs about events that were given up or set aside. */
const givenUp = ({ directory }: PlainWorld['installation']): string[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n'))
    .filter((line) => /Event given up|Key set aside/.test(line));

const waitsFor = new Set([408, 429, 500, 502, 503, 504]);

/** Asks again until it is answered. */
const patient = (tenant: Tenant): Tenant => ({
  ...tenant,
  call: async (...given) => {
    for (const until = Date.now() + patienceMs; ;) {
      const answer = await tenant.call<never>(...given).catch(() => undefined);
      if (answer !== undefined && !waitsFor.has(answer.status)) return answer;
      if (Date.now() > until) throw new Error(`It was answered ${answer?.status} ${JSON.stringify(answer?.body)}`);
      await sleep(250);
    }
  },
});
