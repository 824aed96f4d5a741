import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connected,
  eventually,
  linkProfile,
  register,
  startWebhookReceiver,
  type Answer,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

type Shown = Record<string, unknown>;

/** Groups through REST, and what members do. */
export function groups(at: () => World): void {
  describe('groups of an installation', () => {
    const phone = '4915120000700';
    const [anna, ben, carla] = ['4915100000700', '4915100000701', '4915100000702'] as const;
    let world: World;
    let owner: Tenant;
    let receiver: WebhookReceiver;
    let profileId: string;
    beforeAll(async () => {
      world = at();
      owner = await register(world);
      receiver = await startWebhookReceiver('a secret of the receiver');
      await owner.call('POST', '/webhooks', {
        url: receiver.url,
        secret: 'a secret of the receiver',
        events: ['group.*', 'message.received', 'message.deleted'],
      });
      ({ profileId } = await linkProfile(world, owner, phone));
      await world.network.configureContact(carla, { refuseGroups: 403 });
    }, 600_000);
    afterAll(() => receiver.stop());

    const make = async (name: string, participants: string[] = [anna]): Promise<string> => {
      const answer = await owner.call('POST', '/groups', { profileId, name, participants });
      expect(answer.status).toBe(201);
      return answer.body['id'] as string;
    };
    const post = (groupId: string, what: string, body: object = {}, by = owner): Promise<Answer<Shown>> =>
      by.call('POST', `/groups/${groupId}/${what}`, { profileId, ...body });
    const told = (event: string, groupId: string, fits: (data: Shown) => boolean) =>
      receiver.waitFor((one) => one.event === event && one.data['id'] === groupId && fits(one.data));

    it('are made, changed and left over REST, and people see it', async () => {
      const made = await owner.call('POST', '/groups', {
        profileId,
        name: 'Choir',
        participants: [anna, carla],
        description: 'On Tuesdays',
      });
      expect([made.status, made.body]).toMatchObject([
        201,
        {
          name: 'Choir',
          description: 'On Tuesdays',
          owner: `${phone}@c.us`,
          participantsCount: 2,
          participants: [
            { id: `${phone}@c.us`, phone, isAdmin: true, isSuperAdmin: true },
            { id: `${anna}@c.us`, phone: anna, isAdmin: false, isSuperAdmin: false },
          ],
          results: [
            { phone: anna, status: 200 },
            { phone: carla, status: 403, message: expect.any(String) },
          ],
        },
      ]);
      const groupId = made.body['id'] as string;
      expect(await told('group.updated', groupId, ({ change }) => change === 'joined')).toMatchObject({
        profileId,
        data: { change: 'joined', name: 'Choir' },
      });

      const list = await owner.call<Shown[]>('GET', `/groups/profile/${profileId}`);
      expect([list.status, list.body]).toEqual([200, [expect.objectContaining({ id: groupId, participantsCount: 2 })]]);
      expect(list.body[0]).not.toHaveProperty('participants');

      const renamed = await owner.call('PATCH', `/groups/${groupId}`, { profileId, name: 'Chamber choir' });
      expect([renamed.status, renamed.body['name']]).toEqual([200, 'Chamber choir']);
      expect(await post(groupId, 'participants/add', { participants: [ben] })).toMatchObject({
        status: 200,
        body: { results: [{ phone: ben, status: 200 }] },
      });
      expect(await told('group.participants', groupId, ({ action }) => action === 'add')).toMatchObject({
        data: { action: 'add', participants: [{ phone: ben }] },
      });
      await post(groupId, 'participants/promote', { participants: [ben] });
      await post(groupId, 'participants/remove', { participants: [anna] });
      expect(await world.network.group(groupId)).toMatchObject({
        subject: 'Chamber choir',
        members: [
          { phone, rank: 'superadmin' },
          { phone: ben, rank: 'admin' },
        ],
      });
      await post(groupId, 'participants/demote', { participants: [ben] });
      const link = await owner.call('GET', `/groups/${groupId}/invite-link?profileId=${profileId}`);
      const renewed = await owner.call('POST', `/groups/${groupId}/invite-link/revoke?profileId=${profileId}`);
      expect([link.status, renewed.status, link.body['link'] === renewed.body['link']]).toEqual([200, 200, false]);
      await world.network.joinGroup(anna, new URL(renewed.body['link'] as string).pathname.slice(1));
      expect(await post(groupId, 'leave')).toMatchObject({ status: 200, body: { id: groupId } });
      expect((await world.network.group(groupId)).members).toEqual([
        { phone: ben, rank: 'member' },
        { phone: anna, rank: 'member' },
      ]);
    }, 600_000);

    it('are written into, and what members write has the name of the group', async () => {
      const groupId = await make('Neighbours', [anna, ben]);
      const answer = await owner.call('POST', '/messages/text', { profileId, to: groupId, text: 'Hello all' });
      expect(answer.status).toBe(200);
      for (const reader of [anna, ben])
        expect((await world.network.waitForMessages(reader, 1, 120_000, phone)).at(-1)).toMatchObject({
          to: groupId,
          text: 'Hello all',
        });
      const { id } = await world.network.sendFromContact(ben, { to: groupId, text: 'Hello you' });
      const received = await receiver.waitFor(({ data }) => data['networkMessageId'] === id);
      expect(received.data).toMatchObject({ from: groupId, author: `${ben}@c.us`, body: 'Hello you' });
      const conversations = async (query: string) =>
        (await owner.call<{ items: Shown[] }>('GET', `/conversations?${query}`)).body.items;
      const shown = await eventually(async () => {
        const found = await conversations('type=group');
        return found.some(({ name }) => name === 'Neighbours') ? found : undefined;
      });
      expect(shown).toMatchObject([{ jid: groupId, name: 'Neighbours', unreadCount: 1 }]);
      await world.network.changeGroup(groupId, { by: anna, subject: 'Good neighbours' });
      await eventually(async () => (await conversations('search=good%20neighb')).length === 1 || undefined);

      await owner.call('POST', `/groups/${groupId}/participants/promote`, { profileId, participants: [anna] });
      await eventually(
        async () => (await world.network.group(groupId)).members.some((one) => one.rank === 'admin') || undefined,
      );
      await world.network.sendFromContact(anna, { to: groupId, content: { type: 'revoke', target: id } });
      const deleted = await receiver.waitFor(({ event }) => event === 'message.deleted');
      expect(deleted.data).toMatchObject({ from: groupId, author: `${anna}@c.us`, networkMessageId: id });
    }, 600_000);

    it('answer clearly what cannot be', async () => {
      const groupId = await make('Ours');
      const { id: hers } = await world.network.createGroup({
        owner: anna,
        subject: 'Hers',
        participants: [phone, ben],
      });
      const stranger = await register(world);
      const idle = (await owner.call<{ id: string }>('POST', '/profiles', { name: 'Idle' })).body.id;
      const codeOf = async (answer: Promise<Answer<Shown>>): Promise<unknown[]> => {
        const { status, body } = await answer;
        const { code, details } = body['error'] as { code: string; details?: { path: string }[] };
        return [status, code, ...(details?.map(({ path }) => path) ?? [])];
      };
      const create = (body: object) =>
        owner.call('POST', '/groups', { profileId, name: 'No', participants: [], ...body });
      const invalid = [400, 'VALIDATION_ERROR'];
      expect(await codeOf(create({ name: '' }))).toEqual([...invalid, 'body.name', 'body.name']);
      expect(await codeOf(create({ name: 'x'.repeat(101) }))).toEqual([...invalid, 'body.name']);
      expect(await codeOf(create({ participants: [anna, 'nobody'] }))).toEqual([...invalid, 'body.participants[1]']);
      expect(await codeOf(create({ participants: [hers] }))).toEqual([...invalid, 'body.participants[0]']);
      expect(await codeOf(create({ subject: 'No' }))).toEqual([...invalid, 'body.subject']);
      expect(await codeOf(owner.call('PATCH', `/groups/${groupId}`, { profileId }))).toEqual([...invalid, 'body.name']);
      expect(await codeOf(owner.call('GET', `/groups/${groupId}`))).toEqual([...invalid, 'query.profileId']);
      expect(await codeOf(post(groupId, 'participants/add', { participants: [] }))).toEqual([
        ...invalid,
        'body.participants',
      ]);
      expect(await codeOf(post(hers, 'participants/add', { participants: [carla] }))).toEqual([403, 'FORBIDDEN']);
      const path = `/groups/120363999999999999@g.us?profileId=${profileId}`;
      expect(await codeOf(owner.call('GET', path))).toEqual([404, 'NOT_FOUND']);
      expect(await codeOf(owner.call('GET', `/groups/nonsense?profileId=${profileId}`))).toEqual([404, 'NOT_FOUND']);
      expect(await codeOf(post(groupId, 'leave', {}, stranger))).toEqual([404, 'NOT_FOUND']);
      expect(await codeOf(create({ profileId: idle }))).toEqual([409, 'PROFILE_NOT_CONNECTED']);
      expect(await world.network.group(hers)).toMatchObject({ members: [{}, {}, {}] });
      const names = (await owner.call<Shown[]>('GET', `/groups/profile/${profileId}`)).body.map(({ name }) => name);
      expect(names).not.toContain('No');
    }, 600_000);

    it('are for keys that may, and for their profiles alone', async () => {
      const groupId = await make('Keys');
      const key = async (body: object): Promise<string> =>
        (await owner.call<{ key: string }>('POST', '/api-keys', { name: 'Key', ...body })).body.key;
      const reading = await key({ permissions: ['group:read'] });
      const other = (await owner.call<{ id: string }>('POST', '/profiles', { name: 'Elsewhere' })).body.id;
      const elsewhere = await key({ permissions: ['group:read', 'group:manage'], profileIds: [other] });
      const call = async (credential: string, method: string, path: string, body?: object) =>
        (await world.gateway.call(method, path, body, { credential })).status;
      const get = `/groups/${groupId}?profileId=${profileId}`;
      const leave = `/groups/${groupId}/leave`;
      expect([await call(reading, 'GET', get), await call(reading, 'POST', leave, { profileId })]).toEqual([200, 403]);
      expect([await call(elsewhere, 'GET', get), await call(elsewhere, 'POST', leave, { profileId })]).toEqual([
        403, 403,
      ]);
    }, 600_000);

    it('are made once for one key, whatever happens to the process', async () => {
      const body = { profileId, name: 'Only one', participants: [anna] };
      const key = { 'Idempotency-Key': randomUUID() };
      const create = () => owner.call('POST', '/groups', body, key);
      const count = (): Promise<number> =>
        eventually(async () => {
          const answer = await owner.call<Shown[]>('GET', `/groups/profile/${profileId}`);
          return answer.status === 200 ? answer.body.filter(({ name }) => name === body.name).length : undefined;
        });
      const first = create().catch(() => undefined);
      await eventually(async () => (await count()) === 1 || undefined);
      await world.gateway.kill();
      await first;
      await world.restart();
      await connected(owner, profileId);
      const again = await create();
      expect(again).toMatchObject({ status: 201, body: { name: 'Only one', results: [{ phone: anna, status: 200 }] } });
      expect(await count()).toBe(1);
    }, 600_000);
  });
}
