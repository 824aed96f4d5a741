import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  linkProfile,
  register,
  startWebhookReceiver,
  type LinkedProfile,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654381';

interface Shown {
  readonly handoverUntil: string | null;
}

/** Chats left to a human: by a message that the owner writes on the phone, and by a request. */
export function handovers(at: () => World): void {
  describe('a chat left to a human', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;
    let path: string;

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('');
      await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['*'], payloadVersion: 2 });
      profile = await linkProfile(world, tenant, '4915112345681');
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Hello' });
      const { data } = await receiver.waitFor(({ event }) => event === 'message.received');
      path = `/conversations/${String(data['conversationId'])}`;
    }, 600_000);
    afterAll(() => receiver.stop());

    const silent = async (): Promise<string | null> => (await tenant.call<Shown>('GET', path)).body.handoverUntil;
    /** The owner writes. @returns when, as the gateway tells it */
    const write = async (text: string): Promise<number> => {
      await world.network.sendFromPhone(profile.phone, { to: contact, text });
      const { data } = await receiver.waitFor(
        (one) => one.event === 'message.sent' && (one.data['content'] as { text?: string }).text === text,
      );
      expect(data['origin']).toBe('phone');
      return Date.parse(String(data['timestamp']));
    };
    const setMinutes = async (handoverMinutes: number): Promise<void> => {
      const changed = await tenant.call('PUT', `/profiles/${profile.profileId}`, { handoverMinutes });
      expect(changed).toMatchObject({ status: 200, body: { handoverMinutes } });
    };
    const minutesLater = (time: number, minutes: number): string => new Date(time + minutes * 60_000).toISOString();

    it('is so for an hour after the owner has written, until it is given back', async () => {
      expect(await silent()).toBeNull();
      const written = await write('I am here myself');
      expect(await silent()).toBe(minutesLater(written, 60));
      expect(await tenant.call('PUT', `${path}/resume`)).toMatchObject({ status: 200, body: { handoverUntil: null } });
      expect(await silent()).toBeNull();
    }, 600_000);

    it('is so for as long as the profile says, from the next message on', async () => {
      await setMinutes(0);
      await write('Still me');
      expect(await silent()).toBeNull();
      await setMinutes(5);
      expect(await silent()).toBeNull();
      const written = await write('And again');
      expect(await silent()).toBe(minutesLater(written, 5));
      const until = minutesLater(Date.now(), 300);
      expect(await tenant.call('PUT', `${path}/handover`, { until })).toMatchObject({
        status: 200,
        body: { handoverUntil: until },
      });
      await write('Once more');
      expect(await silent()).toBe(until);
    }, 600_000);

    it('is not so by what the gateway sends', async () => {
      await tenant.call('PUT', `${path}/resume`);
      const sent = { profileId: profile.profileId, to: contact, text: 'By the gateway' };
      expect((await tenant.call('POST', '/messages/text', sent)).status).toBe(200);
      await write('By the phone');
      const told = receiver.deliveries.filter(({ event }) => event === 'message.sent');
      expect(told.filter(({ data }) => data['origin'] !== 'phone')).toHaveLength(1);
      await tenant.call('PUT', `${path}/resume`);
      const again = { ...sent, text: 'By the gateway again' };
      const { body } = await tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', again);
      await receiver.waitFor(
        ({ event, data }) => event === 'message.sent' && data['messageId'] === body.data.messageId,
      );
      expect(await silent()).toBeNull();
    }, 600_000);

    it.each([[{ until: '2020-01-01T00:00:00.000Z' }], [{ until: 'soon' }], [{ till: 'tomorrow' }]])(
      'is not so by %j',
      async (body) => {
        const field = Object.keys(body)[0];
        const answer = await tenant.call<{ error: { details: { path: string }[] } }>('PUT', `${path}/handover`, body);
        expect([answer.status, answer.body.error.details.map((detail) => detail.path)]).toEqual([
          400,
          [`body.${field}`],
        ]);
        expect(await silent()).toBeNull();
      },
    );

    it('is nobody else’s to change, nor a key’s that is limited to other profiles', async () => {
      const stranger = await register(world);
      const other = await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Other', handoverMinutes: 7 });
      expect(other.body).toMatchObject({ handoverMinutes: 7 });
      const profileIds = [other.body.id];
      const made = await tenant.call<{ key: string }>('POST', '/api-keys', { name: 'Other', profileIds });
      const credential = made.body.key;
      for (const verb of ['handover', 'resume']) {
        expect((await stranger.call('PUT', `${path}/${verb}`)).status).toBe(404);
        const limited = await world.gateway.call('PUT', `${path}/${verb}`, undefined, { credential });
        expect(limited.status).toBe(403);
      }
      expect(await silent()).toBeNull();
    }, 600_000);
  });
}
