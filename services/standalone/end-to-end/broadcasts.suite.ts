import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  linkAgain,
  linkProfile,
  register,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { broadcastsOf, type Broadcasts } from './broadcasting.ts';
import { jumpSeen } from './clock-jumps.ts';
import type { World } from './world.ts';

const secret = 'secret of the receiver';
const minute = 60_000;
const phoneOf = (number: number): string => String(4_915_120_000_500 + number);
const [ada, ben, nameless, stopped, blocked] = [0, 1, 2, 3, 4].map(phoneOf) as [string, string, string, string, string];

/** A message for many people, as they get it, sends being awaited. */
export function broadcasts(at: () => World): void {
  describe('a broadcast', () => {
    const phone = '4915112345471';
    let world: World;
    let owner: Tenant;
    let receiver: WebhookReceiver;
    let profileId: string;
    let mine: Broadcasts;
    beforeAll(async () => {
      world = at();
      owner = await register(world);
      receiver = await startWebhookReceiver(secret);
      const events = ['broadcast.started', 'broadcast.completed', 'broadcast.failed'];
      await owner.call('POST', '/webhooks', { url: receiver.url, secret, events });
      ({ profileId } = await linkProfile(world, owner, phone));
      mine = broadcastsOf(world, owner, profileId);
      await mine.addContact(ada, { name: 'Ada', metadata: { city: 'Berlin' } });
      await mine.addContact(ben, { name: '=Ben, "B"' });
      await mine.addContact(nameless);
      await mine.addContact(stopped, { name: 'Stopped' });
      await mine.addContact(blocked, { name: 'Blocked', blocked: true });
      await mine.addContact(phoneOf(5), { name: 'Other', tags: ['others'] });
      await world.network.configureContact(ada, { receipts: 'read' });
      await world.network.sendFromContact(stopped, { to: phone, text: 'STOP' });
      await eventually(async () => {
        const { body } = await owner.call<{ total: number }>('GET', '/suppressions');
        return body.total === 1 ? true : undefined;
      });
    }, 600_000);
    afterAll(() => receiver.stop());

    /** Lets a broadcast with a delay of one minute go on, until so many are sent. @param from number of the message that is due by now */
    const sentByMinutes = async (of: Broadcasts, id: string, from: number, to: number): Promise<void> => {
      await of.until(id, ({ stats }) => stats.sent === from);
      for (let sent = from + 1; sent <= to; sent += 1) {
        world.moveClock(minute);
        await of.until(id, ({ stats }) => stats.sent === sent);
      }
    };

    /** A member whose role permits that and nothing else. */
    const memberWith = async (permissions: string[]): Promise<{ credential: string }> => {
      await owner.call('POST', '/rbac/roles', { name: 'Some', permissions });
      const email = 'member@broadcasts.example';
      const invitation = { email, name: 'Member', role: 'Some' };
      const invited = await owner.call<{ temporaryPassword: string }>('POST', '/organizations/members', invitation);
      const logIn = async (password: string): Promise<{ credential: string }> => {
        const given = { email, password };
        const { body } = await world.gateway.call<{ accessToken: string }>('POST', '/auth/login', given);
        return { credential: body.accessToken };
      };
      const { temporaryPassword: currentPassword } = invited.body;
      const changed = { currentPassword, newPassword: 'correct horse battery' };
      await world.gateway.call('POST', '/auth/change-password', changed, await logIn(currentPassword));
      return logIn(changed.newPassword);
    };

    it('reaches each person once, with the own name, and says what became of it', async () => {
      const { id, status } = await mine.create();
      expect(status).toBe('draft');
      expect(await mine.get(id)).toMatchObject({ forecast: null });
      // Nobody who is blocked or suppressed.
      expect((await owner.call('GET', `/broadcast/${id}/forecast`)).body).toMatchObject({ remaining: 3 });
      expect(await mine.recipients(id)).toMatchObject({ total: 0, items: [] });
      expect(await mine.tell(id, 'start')).toMatchObject({ status: 'running', stats: { total: 5, skipped: 2 } });
      const counts = { total: 5, sent: 3, failed: 0, pending: 0, skipped: 2, cancelled: 0 };
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: counts });
      expect(await Promise.all([ada, ben, nameless].map(mine.decrypted))).toEqual([
        ['Hello Ada!'],
        ['Hello =Ben, "B"!'],
        ['Hello friend!'],
      ]);
      await mine.until(id, ({ stats }) => stats.delivered === 3 && stats.read === 1);
      expect((await owner.call('GET', `/broadcast/${id}/stats`)).body).toEqual({
        ...counts,
        delivered: 3,
        read: 1,
        status: 'completed',
      });
      const started = await receiver.waitFor(({ event }) => event === 'broadcast.started');
      const completed = await receiver.waitFor(({ event }) => event === 'broadcast.completed');
      expect([started, completed]).toMatchObject([
        { signatureValid: true, profileId, data: { id, total: 5, sent: 0, failed: 0 } },
        { signatureValid: true, profileId, data: { id, total: 5, sent: 3, failed: 0 } },
      ]);
      expect(receiver.deliveries).toHaveLength(2);
    }, 600_000);

    it('leaves out who wants nothing or is blocked, and lists everybody', async () => {
      const { body } = await owner.call<{ items: { id: string }[] }>('GET', '/broadcast?status=completed&search=sALE');
      const id = body.items[0]?.id ?? '';
      expect([await mine.decrypted(stopped), await mine.decrypted(blocked), await mine.decrypted(phoneOf(5))]).toEqual([
        [],
        [],
        [],
      ]);
      const { items, total } = await mine.recipients(id);
      expect(total).toBe(5);
      const shown = items.map(({ phone: whose, name, status, error }) => [whose, name, status, error?.code]);
      expect(shown.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
        [ada, 'Ada', 'sent', undefined],
        [ben, '=Ben, "B"', 'sent', undefined],
        [nameless, null, 'sent', undefined],
        [stopped, 'Stopped', 'cancelled', 'SUPPRESSED'],
        [blocked, 'Blocked', 'cancelled', 'BLOCKED'],
      ]);
      expect(await mine.recipients(id, '&status=cancelled')).toMatchObject({ total: 2 });
      const { type, lines } = await mine.csv(id);
      expect(type).toContain('text/csv');
      expect(lines).toHaveLength(6);
      expect(lines[0]).toBe('contactId,phone,name,status,variant,messageId,attempts,error');
      const ofBen = items.find((one) => one.phone === ben);
      expect(lines).toContain(`${ofBen?.contactId},${ben},"'=Ben, ""B""",sent,,${ofBen?.messageId},1,`);
      expect(lines.filter((line) => line.endsWith(',cancelled,,,0,SUPPRESSED'))).toHaveLength(1);
      const record = await owner.call('GET', `/messages/${ofBen?.messageId}`);
      expect(record.body).toMatchObject({
        direction: 'outgoing',
        to: `${ben}@c.us`,
        content: { text: expect.any(String) },
      });
    }, 600_000);

    it('of a template fills it for each person, and counts how often it was used', async () => {
      const template = { name: 'Of a broadcast', messageType: 'text', content: { text: 'For {{who}} in {{where}}' } };
      const { id: templateId } = (await owner.call<{ id: string }>('POST', '/templates', template)).body;
      const of = (variables: object) => ({
        message: { templateId, variables },
        recipients: { type: 'tags', value: ['customers'] },
      });
      const lacking = await mine.create(of({ who: '{{name|you}}' }));
      expect(await owner.call('POST', `/broadcast/${lacking.id}/start`)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'variables' }] } },
      });
      expect(await mine.get(lacking.id)).toMatchObject({ status: 'draft', stats: { total: 0 } });
      const { id } = await mine.create(of({ who: '{{name|you}}', where: '{{metadata.city|town}}' }));
      await mine.tell(id, 'start');
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: { sent: 3 } });
      expect(await Promise.all([ada, nameless].map(mine.decrypted))).toEqual([
        ['Hello Ada!', 'For Ada in Berlin'],
        ['Hello friend!', 'For you in town'],
      ]);
      const usage = () => owner.call<{ usageCount: number }>('GET', `/templates/${templateId}`);
      await eventually(async () => ((await usage()).body.usageCount >= 3 ? true : undefined));
      expect((await usage()).body.usageCount).toBe(3);
    }, 600_000);

    it('stands still while it is paused, goes on, and reaches nobody any more once it is cancelled', async () => {
      const people = Array.from({ length: 6 }, (_, number) => phoneOf(20 + number));
      const contactIds: string[] = [];
      for (const whom of people) contactIds.push(await mine.addContact(whom, { name: whom, tags: ['paused'] }));
      const recipients = { type: 'contacts', value: contactIds };
      const delays = { delayMin: minute, delayMax: minute };
      const brief = await mine.create({ recipients, settings: delays });
      await mine.tell(brief.id, 'start');
      await mine.until(brief.id, ({ stats }) => stats.sent === 1);
      expect(await mine.tell(brief.id, 'pause')).toMatchObject({ status: 'paused', pausedReason: 'user' });
      expect(await owner.call('POST', `/broadcast/${brief.id}/pause`)).toMatchObject({ status: 409 });
      expect(await owner.call('PUT', `/broadcast/${brief.id}`, { name: 'Late' })).toMatchObject({ status: 409 });
      // The second message would be due, and pass the direct ones, if the broadcast were not paused.
      world.moveClock(minute);
      await jumpSeen(world, owner);
      for (const text of ['1', '2', '3', '4', '5'])
        expect(await owner.call('POST', '/messages/text', { profileId, to: ada, text })).toMatchObject({ status: 200 });
      expect(await mine.get(brief.id)).toMatchObject({ status: 'paused', stats: { sent: 1 } });
      expect(await mine.tell(brief.id, 'resume')).toMatchObject({ status: 'running', pausedReason: null });
      await sentByMinutes(mine, brief.id, 2, 6);
      expect(await mine.over(brief.id)).toMatchObject({ status: 'completed', stats: { sent: 6 } });

      const { id } = await mine.create({ recipients, settings: { delayMin: 600_000, delayMax: 600_000 } });
      await mine.tell(id, 'start');
      const { forecast } = await mine.until(id, (now) => now.stats.sent === 1);
      expect(forecast).toMatchObject({ remaining: 5, heldUpBy: ['delays'] });
      expect(await owner.call('DELETE', `/broadcast/${id}`)).toMatchObject({ status: 409 });
      const cancelled = { status: 'cancelled', stats: { total: 6, sent: 1, pending: 0, cancelled: 5 } };
      expect(await mine.tell(id, 'cancel')).toMatchObject(cancelled);
      for (const what of ['start', 'pause', 'resume', 'cancel'])
        expect(await owner.call('POST', `/broadcast/${id}/${what}`)).toMatchObject({ status: 409 });
      const next = await mine.create({ recipients });
      await mine.tell(next.id, 'start');
      expect(await mine.over(next.id)).toMatchObject({ status: 'completed', stats: { sent: 6 } });
      const numbers = (await Promise.all(people.map(mine.decrypted))).map((texts) => texts.length);
      expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 2, 2, 2, 2, 3]);
      expect(await mine.recipients(id, '&status=cancelled')).toMatchObject({ total: 5 });
      expect(await owner.call('DELETE', `/broadcast/${id}`)).toMatchObject({ status: 204 });
      expect(await owner.call('GET', `/broadcast/${id}`)).toMatchObject({ status: 404 });
    }, 600_000);

    it('waits when its profile is logged out, and goes on when that is linked again', async () => {
      const profile = await linkProfile(world, owner, '4915112345473');
      const own = broadcastsOf(world, owner, profile.profileId);
      const people = Array.from({ length: 4 }, (_, n) => ({ phone: phoneOf(40 + n), name: `Person ${n}` }));
      await own.addContacts(people);
      const { id } = await own.create({ settings: { delayMin: minute, delayMax: minute } });
      await own.tell(id, 'start');
      await own.until(id, ({ stats }) => stats.sent === 1);
      await world.network.unlink(profile.phone);
      await eventually(async () => {
        const { body } = await owner.call<{ status: string }>('GET', `/profiles/${profile.profileId}/status`);
        return body.status === 'logged_out' || undefined;
      });
      world.moveClock(minute);
      expect(await own.until(id, ({ pausedReason }) => pausedReason !== null)).toMatchObject({
        status: 'running',
        pausedReason: 'not_connected',
      });
      await linkAgain(world, owner, profile);
      await sentByMinutes(own, id, 2, 4);
      expect(await own.over(id)).toMatchObject({ status: 'completed', stats: { total: 4, sent: 4, failed: 0 } });
      expect(await Promise.all(people.map((one) => own.decrypted(one.phone)))).toEqual(
        people.map(({ name }) => [`Hello ${name}!`]),
      );
    }, 600_000);

    it('is refused by the name of the field, and nothing of it is kept', async () => {
      const list = async () => (await owner.call<{ total: number }>('GET', '/broadcast')).body.total;
      const before = await list();
      const two = [
        { name: 'a', text: 'x', weight: 0 },
        { name: 'b', text: 'y' },
      ];
      const quiet = { from: '21:00', to: '08:00', timezone: 'recipient' };
      const refusals: [string, object][] = [
        ['body.settings.delayMin', { settings: { delayMin: 2, delayMax: 1 } }],
        ['body.settings.delayMin', { settings: { delayMax: 10 } }],
        ['body.message.text', { message: { type: 'text', text: 'Hi {{other}}' } }],
        ['body.message.variants[0].weight', { message: { type: 'text', variants: two } }],
        ['body.quietHours.timezone', { quietHours: { ...quiet, timezone: 'Mars/Olympus' } }],
        ['body.quietHours.timezone', { quietHours: { ...quiet, timezone: '+05:00' } }],
        ['body.quietHours.to', { quietHours: { ...quiet, to: '21:00' } }],
        ['body.recipients.value', { recipients: { type: 'tags', value: [] } }],
        ['body.message', { message: { type: 'text', text: 'x', templateId: profileId } }],
        ['body.name', { name: '' }],
      ];
      for (const [path, given] of refusals) {
        const answer = await mine.tryToCreate(given);
        expect(answer).toMatchObject({
          status: 400,
          body: { error: { code: 'VALIDATION_ERROR', details: [{ path, message: expect.any(String) }] } },
        });
      }
      expect(await list()).toBe(before);
      const { id } = await mine.create();
      const schedule = (scheduledAt: string) => owner.call('POST', `/broadcast/${id}/schedule`, { scheduledAt });
      for (const when of ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z', 'tomorrow'])
        expect(await schedule(when)).toMatchObject({
          status: 400,
          body: { error: { details: [{ path: 'body.scheduledAt' }] } },
        });
      expect(await owner.call('PUT', `/broadcast/${id}`, { settings: { delayMin: 9 } })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body.settings.delayMin' }] } },
      });
      const changed = { delayMin: 0, delayMax: 8, batchSize: 50, retryFailed: false, retryAttempts: 3 };
      for (const settings of [{ delayMax: 8 }, { retryFailed: false }])
        expect((await owner.call('PUT', `/broadcast/${id}`, { settings })).status).toBe(200);
      expect(await mine.get(id)).toMatchObject({ status: 'draft', settings: changed });
      expect(
        await owner.call('PUT', `/broadcast/${id}`, { recipients: { type: 'tags', value: ['nobody'] } }),
      ).toMatchObject({ status: 200 });
      expect(await owner.call('POST', `/broadcast/${id}/start`)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'recipients' }] } },
      });
      expect(await mine.get(id)).toMatchObject({ status: 'draft', stats: { total: 0 } });
    }, 600_000);

    it('is nothing to other organizations, and to keys that are limited to other profiles', async () => {
      const { id } = await mine.create();
      const stranger = await register(world);
      const other = (await owner.call<{ id: string }>('POST', '/profiles', { name: 'Other' })).body.id;
      const permissions = ['broadcast:create', 'broadcast:read', 'broadcast:execute', 'broadcast:delete'];
      const keyOf = async (scope: object) =>
        (await owner.call<{ key: string }>('POST', '/api-keys', { name: 'limited', ...scope })).body.key;
      const limited = await keyOf({ permissions, profileIds: [other] });
      const reader = await keyOf({ permissions: ['broadcast:read'] });
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
      const routes: [string, string, object?][] = [
        ['GET', ''],
        ['PUT', '', { name: 'Mine' }],
        ['GET', '/stats'],
        ['GET', '/forecast'],
        ['GET', '/recipients'],
        ['GET', '/recipients/csv'],
        ['POST', '/schedule', { scheduledAt }],
        ['POST', '/start'],
        ['POST', '/pause'],
        ['POST', '/resume'],
        ['POST', '/cancel'],
        ['DELETE', ''],
      ];
      for (const [method, path, body] of routes) {
        const url = `/broadcast/${id}${path}`;
        const asKey = async (credential: string) =>
          (await world.gateway.call(method, url, body, { credential })).status;
        expect([url, (await stranger.call(method, url, body)).status, await asKey(limited)]).toEqual([url, 404, 403]);
      }
      for (const [method, path, body] of routes.filter(([one]) => one !== 'GET')) {
        const answer = await world.gateway.call(method, `/broadcast/${id}${path}`, body, { credential: reader });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
      }
      const sender = await memberWith(['broadcast:create', 'broadcast:execute']);
      for (const path of ['', '/forecast', '/stats'])
        expect((await world.gateway.call('GET', `/broadcast/${id}${path}`, undefined, sender)).status).toBe(403);
      expect(await mine.get(id)).toMatchObject({ status: 'draft' });
      expect(await broadcastsOf(world, stranger, profileId).tryToCreate({})).toMatchObject({ status: 404 });
      const draft = { profileId, name: 'x', message: { type: 'text', text: 'x' }, recipients: { type: 'all' } };
      expect(await world.gateway.call('POST', '/broadcast', draft, { credential: limited })).toMatchObject({
        status: 403,
      });
      const seen = await world.gateway.call('GET', '/broadcast', undefined, { credential: limited });
      expect(seen).toMatchObject({ status: 200, body: { items: [], total: 0 } });
      expect(await mine.tell(id, 'start')).toMatchObject({ stats: { total: 5 } });
      await mine.over(id);
    }, 600_000);
  });
}
