import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { ownerNames } from '@messaging-gateway/contracts';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { eventually, type Distributed, type LinkedProfile, type Tenant } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { leftBehind } from './left-behind.ts';
import { sendAndReceive } from '../send-and-receive.ts';
import type { TestServers } from '../test-servers.ts';
import type { RestoredWorld } from './world.ts';

const people = Array.from({ length: 20 }, (_, number) => String(4_915_120_000_700 + number));
const nameOf = (phone: string): string => `${phone.slice(-2)} of many`;
/** What automation keeps of the tenant. */
const automated = {
  name: 'Flow across wires',
  answer: 'Answered across wires',
  knowledge: 'Known across wires',
};
type Broadcast = { readonly id: string; readonly status: string; readonly stats: Readonly<Record<string, number>> };

/** What people do with an installation whose services are killed meanwhile; the last of them leaves and is erased. */
export function enginesBesideSuite(given: () => RestoredWorld): void {
  let servers: TestServers;
  let network: Simulator;
  let installation: Distributed;
  let tenant: Tenant;
  let profile: LinkedProfile;
  beforeAll(() => {
    ({ servers, network, installation } = given());
  });

  const until = (broadcastId: string, holds: (broadcast: Broadcast) => boolean): Promise<Broadcast> =>
    eventually(async () => {
      const { body } = await tenant.call<Broadcast>('GET', `/broadcast/${broadcastId}`);
      return holds(body) ? body : undefined;
    });
  /** Messages that each of the many has decrypted. */
  const numbers = (): Promise<number[]> =>
    Promise.all(people.map(async (phone) => (await network.messages(phone)).length));

  it('says which services answer, and which engine there is', async () => {
    expect(installation.replicas.map(({ service }) => service)).not.toContain('sessions');
    const up = 'up';
    const isDown = ([, state]: readonly [string, unknown]): boolean => state !== up;
    const ready = await eventually(async () => {
      const { status, body } = await installation.call('GET', '/health/ready');
      return status === 200 ? body : undefined;
    });
    expect(ready).toEqual({
      status: 'ready',
      checks: { database: up, broker: up, cache: up, services: up },
      services: Object.fromEntries(ownerNames.map((name) => [name, up])),
      engine: 'socket-engine',
      voiceNotes: expect.stringMatching(/^(converted|ogg-opus)$/),
    });
    await installation.kill('webhooks');
    const body = await eventually(async () => {
      const answer = await installation.call<{ checks: object; services: object }>('GET', '/health/ready');
      const isKnown = answer.status === 200 && Object.entries(answer.body.services).filter(isDown).length === 1;
      return isKnown ? answer.body : undefined;
    });
    expect(body).toMatchObject({ checks: { services: 'down' }, services: { webhooks: 'down', inbox: up } });
    await installation.start('webhooks');
    await installation.ready();
  }, 600_000);

  it('sends and receives', async () => {
    ({ tenant, profile } = await sendAndReceive({ gateway: installation, network }));
  }, 600_000);

  it('deletes what it has only just sent: writes follow writes', async () => {
    const { profileId } = profile;
    for (let count = 0; count < 5; count += 1) {
      const text = { profileId, to: '4915187654805', text: `Not meant ${count}` };
      const sent = await tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', text);
      const deleted = await tenant.call('DELETE', `/messages/${sent.body.data.messageId}`);
      expect([sent.status, deleted.status]).toEqual([200, 204]);
    }
  }, 600_000);

  it('takes media in, hands them on as keys and gives them back', async () => {
    const picture = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154', 'hex'),
      randomBytes(1_000_000),
    ]);
    const contact = '4915187654802';
    const form = new FormData();
    form.append('file', new Blob([picture]), 'picture.png');
    const headers = { authorization: `Bearer ${tenant.token}` };
    const host = installation.gateways[0];
    const answer = await fetch(`${host}/api/v1/uploads/media`, { method: 'POST', headers, body: form });
    const { url } = (await answer.json()) as { url: string };
    const back = Buffer.from(await (await fetch(host + url, { headers })).arrayBuffer());
    expect(back.equals(picture)).toBe(true);
    const { profileId } = profile;
    for (const source of [{ url }, { base64: picture.toString('base64') }]) {
      const sent = await tenant.call('POST', '/messages/image', { profileId, to: contact, ...source });
      expect(sent.body).toEqual({ success: true, data: expect.anything(), meta: expect.anything() });
    }
    const sha256 = createHash('sha256').update(picture).digest('hex');
    const shown = await network.waitForMessages(contact, 2);
    expect(shown.map(({ content }) => content)).toMatchObject([{ media: { sha256 } }, { media: { sha256 } }]);
  }, 600_000);

  it('makes groups, knows them by name, and tells what happens in them', async () => {
    const { profileId } = profile;
    const [anna, ben] = ['4915187654803', '4915187654804'];
    const made = await tenant.call('POST', '/groups', { profileId, name: 'Over brokers', participants: [anna] });
    expect(made).toMatchObject({ status: 201, body: { results: [{ phone: anna, status: 200 }] } });
    const id = String(made.body['id']);
    const adding = { profileId, participants: [ben] };
    expect(await tenant.call('POST', `/groups/${id}/participants/add`, adding)).toMatchObject({ status: 200 });
    await network.sendFromContact(ben, { to: id, text: 'Thank you' });
    type Items = { items: { event: string; name: string | null; data: { id?: string; action?: string } }[] };
    const name = await eventually(async () => {
      const { body } = await tenant.call<Items>('GET', '/conversations?type=group');
      return body.items[0]?.name ?? undefined;
    });
    expect(name).toBe('Over brokers');
    const told = await eventually(async () => {
      const { body } = await tenant.call<Items>('GET', '/events?limit=200');
      return body.items.find(({ event }) => event === 'group.participants');
    });
    expect(told.data).toMatchObject({ id, action: 'add', participants: [{ phone: ben }] });
  }, 600_000);

  it('sends to many, with two replicas that are told different things at once', async () => {
    const { profileId } = profile;
    const contacts = people.map((phone) => ({ phone, name: nameOf(phone), tags: ['many'] }));
    const made = await tenant.call('POST', '/contacts/import', { profileId, contacts });
    expect(made).toMatchObject({ status: 200, body: { created: 20 } });
    const draft = async (): Promise<string> => {
      const { body } = await tenant.call<Broadcast>('POST', '/broadcast', {
        profileId,
        name: 'Over the brokers',
        message: { type: 'text', text: 'Over the brokers to {{phone}}' },
        recipients: { type: 'tags', value: ['many'] },
        settings: { delayMin: 10, delayMax: 30 },
      });
      return body.id;
    };
    const tell = (id: string, all: readonly string[]): Promise<number[]> =>
      Promise.all(all.map(async (what) => (await tenant.call('POST', `/broadcast/${id}/${what}`)).status));
    const whole = await draft();
    expect((await tell(whole, ['start', 'start'])).toSorted((a, b) => a - b)).toEqual([200, 409]);
    for (const sent of [3, 6, 9]) {
      await until(whole, ({ stats }) => (stats['sent'] ?? 0) >= sent);
      const said = await tell(whole, ['pause', 'resume', 'pause', 'resume']);
      expect(said.every((status) => status === 200 || status === 409)).toBe(true);
      const { status } = await until(whole, () => true);
      if (status === 'paused') await tell(whole, ['resume']);
    }
    await until(whole, ({ status }) => status === 'completed');
    expect(await until(whole, () => true)).toMatchObject({ stats: { total: 20, sent: 20, cancelled: 0 } });
    expect(await numbers()).toEqual(people.map(() => 1));

    const part = await draft();
    await tell(part, ['start']);
    await until(part, ({ stats }) => (stats['sent'] ?? 0) >= 3);
    const [, , ...cancels] = await tell(part, ['pause', 'resume', 'cancel', 'cancel']);
    expect(cancels.toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { status, stats } = await until(part, (now) => now.stats['pending'] === 0);
    const { total = 0, sent = 0, failed = 0, skipped = 0, cancelled = 0 } = stats;
    expect([status, total, failed, skipped, sent + cancelled]).toEqual(['cancelled', 20, 0, 0, 20]);
    const before = await numbers();
    expect(before.filter((number) => number === 2)).toHaveLength(sent);
    expect(new Set(before)).toEqual(new Set([1, 2]));

    const last = await draft();
    await tell(last, ['start']);
    await until(last, (now) => (now.stats['sent'] ?? 0) >= 3);
    // The other one goes on with it, and with what follows.
    await installation.kill('campaigns');
    expect(await until(last, (now) => now.status === 'completed')).toMatchObject({ stats: { total: 20, sent: 20 } });
    expect(await numbers()).toEqual(before.map((number) => number + 1));
    await installation.start('campaigns');
  }, 600_000);

  it('answers each once, though the events move to another replica in the middle', async () => {
    const { profileId, phone } = profile;
    const flow = await tenant.call<{ id: string }>('POST', '/automation', {
      profileId,
      name: automated.name,
      trigger: { type: 'keyword', value: ['wires'] },
      actions: [
        { type: 'delay', ms: 200 },
        { type: 'send', message: { type: 'text', text: automated.answer } },
      ],
    });
    expect(flow.status).toBe(201);
    const text = { name: 'Wires', content: automated.knowledge };
    expect((await tenant.call('POST', `/ai/knowledge/${profileId}/text`, text)).status).toBe(201);
    const answers = async (): Promise<number[]> =>
      Promise.all(
        people.map(
          async (person) => (await network.messages(person)).filter((one) => one.text === automated.answer).length,
        ),
      );
    const write = (some: readonly string[]) =>
      Promise.all(some.map((person) => network.sendFromContact(person, { to: phone, text: 'Of wires' })));
    const answered = async (count: number): Promise<true | undefined> =>
      (await answers()).filter((number) => number > 0).length >= count ? true : undefined;
    await write(people.slice(0, 10));
    await eventually(() => answered(2));
    await installation.kill('automation', 0);
    await write(people.slice(10, 15));
    await eventually(() => answered(12));
    await installation.start('automation', 0);
    await write(people.slice(15));
    await eventually(() => answered(20));
    await eventually(async () => {
      const { body } = await tenant.call<{ succeeded: number }>('GET', `/automation/${flow.body.id}/stats`);
      return body.succeeded === 20 ? true : undefined;
    });
    expect(await answers()).toEqual(people.map(() => 1));
  }, 600_000);

  it('erases what a person leaves behind, though a broadcast runs and a service dies meanwhile', async () => {
    // The first and the last whom the broadcast goes to.
    const ofMany = [people[0] ?? '', people[19] ?? ''].flatMap((phone) => [phone, nameOf(phone)]);
    const told = ['4915112345801', '4915187654801', 'Over the brokers', 'Over brokers', automated.answer, ...ofMany];
    // Definitions and knowledge are told to nobody.
    const texts = [...told, automated.name, automated.knowledge];
    const received = await numbers();
    const { body: running } = await tenant.call<Broadcast>('POST', '/broadcast', {
      profileId: profile.profileId,
      name: 'Over brokers that are told to forget',
      message: { type: 'text', text: 'Over the brokers to {{name}}' },
      recipients: { type: 'tags', value: ['many'] },
      settings: { delayMin: 1000, delayMax: 1000 },
    });
    expect((await tenant.call('POST', `/broadcast/${running.id}/start`)).status).toBe(200);
    await until(running.id, ({ stats }) => (stats['sent'] ?? 0) >= 1);
    const database = new Pool({ connectionString: servers.databaseUrl, max: 4 });
    const left = () => leftBehind(servers, database, texts, 7);
    const textsOf = (places: readonly string[]): string[] =>
      [...new Set(places.map((place) => place.slice(place.indexOf(': ') + 2)))].toSorted();
    try {
      const before = await left();
      expect([textsOf(before.database), before.kafka.toSorted()]).toEqual([texts.toSorted(), told.toSorted()]);
      await installation.kill('inbox');
      const deleted = await tenant.call('DELETE', '/account/delete', { password: 'correct horse battery' });
      expect([deleted.status, deleted.body]).toEqual([202, { status: 'erasing' }]);
      expect((await tenant.call('GET', '/account/export')).status).toBe(401);
      await installation.start('inbox');
      await eventually(async () => {
        const { rows } = await database.query('SELECT 1 FROM identity.user_erasures WHERE times = 0');
        return rows.length === 0 ? true : undefined;
      });
      // A queue's count of messages is some seconds old.
      const found = await eventually(async () => {
        const looked = await left();
        return looked.rabbitMq.some((place) => place.endsWith(' messages')) ? undefined : looked;
      });
      expect((await numbers()).filter((number, index) => number > (received[index] ?? 0) + 1)).toEqual([]);
      // What Kafka has been told stays until its retention is over, in values, and nothing stays longer.
      expect(found).toEqual({
        database: [],
        rabbitMq: [],
        redis: [],
        kafka: before.kafka,
        kafkaElsewhere: [],
        unbounded: [],
      });
    } finally {
      await database.end();
    }
  }, 600_000);
}
