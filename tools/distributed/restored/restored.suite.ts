import { beforeAll, expect, it } from '@jest/globals';
import {
  connected,
  eventually,
  findTexts,
  linkAgain,
  linkProfile,
  register,
  searchKafka,
  type ApiWorld,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import { serviceNames } from '@messaging-gateway/contracts';
import { Pool } from 'pg';
import { broadcastHalfWay, type HalfWay } from '../../../services/standalone/end-to-end/half-way.ts';
import { isAlive } from '../started.ts';
import { secret, type RestoredWorld } from './world.ts';

const contact = '4915187652801';
const password = 'correct horse battery';
const ada = {
  email: 'ada.of.the.restored@analytical.example',
  name: 'Ada of the restored',
  known: 'Charles the Restored',
};

interface Told {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
}

/** An installation that is used after its database came back from a backup. */
export function restoredSuite(given: () => RestoredWorld): void {
  let world: RestoredWorld;
  let tenant: Tenant;
  let kept: LinkedProfile;
  /** Deleted after the backup, so that it is there again. */
  let deleted: LinkedProfile;
  let broadcast: HalfWay;
  /** Where a reader of events stood when the database was lost. */
  let cursor: string;
  /** Events that receivers had until then. */
  let toldBefore: ReadonlySet<string>;
  let restoredAt: string;
  let said: string;

  const api = (): ApiWorld & Pick<RestoredWorld, 'network'> => ({
    gateway: { call: world.call },
    network: world.network,
  });
  const events = async (after: string) =>
    (await tenant.call<{ items: Told[]; nextCursor: string }>('GET', `/events?limit=200&after=${after}`)).body;
  const send = (profileId: string, text: string) =>
    tenant.call('POST', '/messages/text', { profileId, to: contact, text });
  const texts = async (): Promise<string[]> => {
    const { body } = await tenant.call<{ items: { content: { text: string } }[] }>(
      'GET',
      `/messages/profile/${kept.profileId}`,
    );
    return body.items.map(({ content }) => content.text);
  };
  const statusOf = async ({ profileId }: LinkedProfile): Promise<string> =>
    (await tenant.call<{ status: string }>('GET', `/profiles/${profileId}/status`)).body.status;
  const registered = async (): Promise<string> => {
    const body = { email: ada.email, password, name: ada.name };
    const answer = await world.call<{ accessToken: string }>('POST', '/auth/register', body);
    return answer.body.accessToken;
  };

  beforeAll(async () => {
    world = given();
    tenant = await register(api());
    await tenant.call('POST', '/webhooks', { url: world.receiver.url, secret, events: ['*'] });
    kept = await linkProfile(api(), tenant, '4915112342801');
    deleted = await linkProfile(api(), tenant, '4915112342802');
    await send(kept.profileId, 'Kept');
    await eventually(async () => ((await texts()).length === 1 ? true : undefined));
    const credential = await registered();
    await world.call('POST', '/contacts', { phone: contact, name: ada.known }, { credential });
    broadcast = await broadcastHalfWay(api(), tenant, '4915112342803');
    await world.backUp();
    await broadcast.goOn();
    await afterTheBackup(credential);
    restoredAt = new Date().toISOString();
    expect(new Set(Object.values(await world.installation.stop()))).toEqual(new Set([0]));
    said = await world.restore();
    await world.startAgain();
  }, 900_000);

  /** Changes after the backup, which it does not know. */
  async function afterTheBackup(credential: string): Promise<void> {
    await world.call('DELETE', '/account/delete', { password }, { credential });
    await send(kept.profileId, 'Lost');
    for (let n = 0; n < 3; n += 1) {
      await tenant.call('POST', `/profiles/${kept.profileId}/disconnect`);
      await tenant.call('POST', `/profiles/${kept.profileId}/connect`);
      await connected(tenant, kept.profileId);
    }
    await eventually(async () => ((await texts()).includes('Lost') ? true : undefined));
    await eventually(async () => {
      const ready = world.receiver.deliveries.filter(({ event }) => event === 'connection.ready');
      return ready.length >= 6 ? true : undefined;
    });
    cursor = (await events('latest')).nextCursor;
    toldBefore = new Set(world.receiver.deliveries.map(({ id }) => id));
    // What is told from here on nobody takes in before the restore.
    const stopped = (['outbound', 'inbox', 'webhooks'] as const).map((name) => world.installation.terminate(name));
    expect(await Promise.all(stopped)).toEqual([0, 0, 0]);
    expect((await tenant.call('DELETE', `/profiles/${deleted.profileId}`)).status).toBe(204);
    const { brokers, topicPrefix = '' } = world.servers;
    await eventually(async () => {
      const topics = await searchKafka(brokers, topicPrefix, [deleted.profileId]);
      const told = topics.find(({ topic }) => topic.endsWith('profile.deleted'));
      return (told?.elsewhere.length ?? 0) > 0 ? true : undefined;
    });
  }

  it('has erased again who was erased since', async () => {
    // The other one is older than the backup.
    expect(said).toContain('2 erasures are logged; 1 of them');
    const login = await world.call('POST', '/auth/login', { email: ada.email, password });
    expect(login.status).toBe(401);
    const database = new Pool({ connectionString: world.databaseUrl, max: 2 });
    await eventually(async () => {
      const { rows } = await database.query('SELECT 1 FROM identity.user_erasures WHERE times >= 1');
      return rows.length === 2 ? true : undefined;
    });
    expect(await findTexts(database, Object.values(ada))).toEqual([]);
    await database.end();
    expect(await registered()).toEqual(expect.any(String));
  }, 600_000);

  it('sends for profiles that are linked anew, also for one whose deletion is undone', async () => {
    for (const profile of [kept, deleted]) {
      await eventually(async () => ((await statusOf(profile)) === 'connected' ? undefined : true));
      await linkAgain(api(), tenant, profile);
      const sent = await send(profile.profileId, 'After');
      expect([sent.status, sent.body]).toEqual([200, expect.objectContaining({ success: true })]);
    }
    const shown = await eventually(async () => {
      const now = await texts();
      return now.includes('After') ? now : undefined;
    });
    expect(shown.toSorted()).toEqual(['After', 'Kept']);
  }, 600_000);

  it('goes on with a broadcast from its middle: nobody gets it again', async () => {
    await linkAgain(api(), tenant, broadcast.profile);
    await broadcast.expectOnceEach();
  }, 600_000);

  it('tells what happens since to a reader who goes on from where it stood, under ids of its own', async () => {
    const told = await eventually(async () => {
      const { items } = await events(cursor);
      return items.filter(({ event }) => event === 'message.sent').length >= 2 ? items : undefined;
    });
    const since = told.filter(({ timestamp }) => timestamp >= restoredAt);
    expect(since.map(({ event }) => event)).toContain('connection.ready');
    expect(since.filter(({ id }) => toldBefore.has(id))).toEqual([]);
    await Promise.all(since.map(({ id }) => world.receiver.waitFor((delivery) => delivery.id === id)));
  }, 600_000);

  it('leaves no service behind when `npm run start:distributed` is killed', async () => {
    const { pids } = world.restored;
    expect(new Set(pids).size).toBe(serviceNames.length);
    expect(pids.every(isAlive)).toBe(true);
    world.restored.signal('SIGKILL');
    await eventually(async () => (pids.some(isAlive) ? undefined : true), 400_000);
  }, 600_000);
}
