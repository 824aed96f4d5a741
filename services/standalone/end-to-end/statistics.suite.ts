import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, type LinkedProfile, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654391';

interface Messages {
  readonly total: number;
  readonly byDirection: { readonly incoming: number; readonly outgoing: number };
  readonly byStatus: Readonly<Record<string, number>>;
}
interface Trend {
  readonly items: { readonly period: string; readonly incoming: number; readonly outgoing: number }[];
}
interface Waits {
  readonly count: number;
  readonly average: number | null;
}

/** Statistics of messages between phones and clients. */
export function statistics(at: () => World): void {
  describe('statistics', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    const get = async <Body>(path: string, as: Tenant = tenant): Promise<Body> => {
      const { status, body } = await as.call<Body>('GET', `/statistics/${path}`);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    const send = (text: string, to = contact) =>
      tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', {
        profileId: profile.profileId,
        to,
        text,
      });

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345691');
    }, 600_000);

    it('are zeros, and null where there is nothing to say, before anybody has said anything', async () => {
      expect(await get('dashboard')).toMatchObject({
        profiles: { total: 1, connected: 1 },
        messages: { total: 0, today: 0, incoming: 0, outgoing: 0 },
        broadcasts: { total: 0, running: 0 },
      });
      expect(await get<Messages>('messages')).toMatchObject({ total: 0, byStatus: { sent: 0, received: 0 } });
      expect(await get<Waits>('response-time')).toMatchObject({ count: 0, average: null });
      expect(await get('broadcasts')).toMatchObject({ total: 0, rates: { sent: null } });
      expect(await get('automations')).toEqual({
        total: 0,
        enabled: 0,
        triggered: 0,
        succeeded: 0,
        failed: 0,
        top: [],
      });
    }, 600_000);

    it('count what came in and went out, what the owner wrote on the phone too, and how soon it was answered', async () => {
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Hello' });
      await eventually(async () => ((await get<Messages>('messages')).byDirection.incoming === 1 ? true : undefined));
      expect((await send('Good morning')).status).toBe(200);
      await world.network.sendFromPhone(profile.phone, { to: contact, text: 'By myself' });
      const messages = await eventually(async () => {
        const found = await get<Messages>(`messages?profileId=${profile.profileId}`);
        return found.total === 3 && found.byStatus['delivered'] !== 0 ? found : undefined;
      });
      expect(messages.byDirection).toEqual({ incoming: 1, outgoing: 2 });
      expect(messages.byStatus).toMatchObject({ received: 1, queued: 0, failed: 0 });
      const { count, average } = await get<Waits>('response-time');
      expect(count).toBe(1);
      expect(average).toBeGreaterThanOrEqual(0);
      expect(await get('dashboard')).toMatchObject({ messages: { total: 3, today: 3, incoming: 1, outgoing: 2 } });
      expect(await get('contacts')).toMatchObject({ active: 1, withTags: 0 });
    }, 600_000);

    it('are the same after a message is deleted here', async () => {
      const { body } = await send('To be deleted');
      const before = await eventually(async () => {
        const found = await get<Messages>('messages');
        return found.total === 4 && found.byStatus['queued'] === 0 ? found : undefined;
      });
      expect((await tenant.call('DELETE', `/messages/${body.data.messageId}`)).status).toBe(204);
      expect((await get<Messages>('messages')).byDirection).toEqual(before.byDirection);
    }, 600_000);

    it('go by the time zone of the organization, unless they are asked for another one', async () => {
      const organization = await tenant.call('GET', '/organizations/current');
      expect(organization.body).toMatchObject({ timezone: 'UTC' });
      const changed = await tenant.call('PUT', '/organizations/current', { timezone: 'Asia/Kathmandu' });
      expect(changed).toMatchObject({ status: 200, body: { ...organization.body, timezone: 'Asia/Kathmandu' } });
      const trend = await get<Trend>('messages/trend');
      for (const { period } of trend.items) expect(period).toMatch(/T18:15:00\.000Z$/);
      expect(trend.items.reduce((so, { incoming, outgoing }) => so + incoming + outgoing, 0)).toBe(4);
      const utc = await get<Trend>('messages/trend?timezone=UTC&granularity=week');
      for (const { period } of utc.items) expect(new Date(period).getUTCDay()).toBe(1);
      const refused = await tenant.call<{ error: { details: { path: string }[] } }>('PUT', '/organizations/current', {
        timezone: 'Mars/Olympus',
      });
      expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'body.timezone']);
    }, 600_000);

    it('are refused where they say nothing', async () => {
      const refused = async (path: string): Promise<[number, string | undefined]> => {
        const { status, body } = await tenant.call<{ error: { details?: { path: string }[] } }>(
          'GET',
          `/statistics/${path}`,
        );
        return [status, body.error.details?.[0]?.path];
      };
      expect(await refused('messages?from=yesterday')).toEqual([400, 'query.from']);
      expect(await refused('messages?from=2026-02-30')).toEqual([400, 'query.from']);
      expect(await refused('messages/trend?granularity=year')).toEqual([400, 'query.granularity']);
      expect(await refused('messages/trend?timezone=Nowhere')).toEqual([400, 'query.timezone']);
      expect(await refused('messages/trend?from=2026-02-02&to=2026-02-01')).toEqual([400, 'query.to']);
      expect(await refused('response-time?include=all')).toEqual([400, 'query.include']);
      expect(await refused('dashboard?from=2026-01-01')).toEqual([400, 'query.from']);
      expect(await refused('contacts?profileId=x')).toEqual([400, 'query.profileId']);
      const stranger = await register(world);
      const path = `messages?profileId=${profile.profileId}`;
      expect((await stranger.call('GET', `/statistics/${path}`)).status).toBe(404);
      expect(await get<Messages>('messages', stranger)).toMatchObject({ total: 0 });
    }, 600_000);
  });
}
