import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { registerAfterJump } from './clock-jumps.ts';
import type { World } from './world.ts';

const contact = '4915187654321';

const minute = 60_000;
const day = 1440 * minute;
/** Until midnight at +07:00, where days of limits end, milliseconds. */
const leftOfTheDay = ({ now }: World): number => day - ((now() + 420 * minute) % day);

/** A daily limit, and a receiver that is down for an hour: the clock moves on by that. */
export function limitsAndReceivers(at: () => World): void {
  describe('a bad day', () => {
    let world: World;
    beforeAll(() => {
      world = at();
      // The limit is that of a day, which must not end in between.
      if (leftOfTheDay(world) < 20 * minute) world.moveClock(leftOfTheDay(world));
    });

    it('50 concurrent sends against a daily limit of 20: exactly 20 arrive, 30 are refused', async () => {
      const tenant = await registerAfterJump(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345602', { dailyMessageLimit: 20 });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          tenant.call('POST', '/messages/text', { profileId, to: contact, text: `Number ${index}` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(30);
      for (const { body } of refused) {
        expect(body).toEqual({
          error: 'DAILY_LIMIT_REACHED',
          limit: 20,
          count: 20,
          resetAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00(\.000)?\+07:00$/),
        });
      }
      const shown = await world.network.waitForMessages(contact, 20);
      expect(shown).toHaveLength(20);
    }, 600_000);

    it('a webhook receiver is down for an hour: its deliveries end failed and are replayed; others notice nothing', async () => {
      const tenant = await register(world);
      const [down, up] = [await startWebhookReceiver('secret of one'), await startWebhookReceiver('secret of other')];
      const made = await tenant.call<{ id: string }>('POST', '/webhooks', {
        url: down.url,
        secret: 'secret of one',
        events: ['message.received'],
      });
      await tenant.call('POST', '/webhooks', { url: up.url, secret: 'secret of other', events: ['message.received'] });
      const { phone } = await linkProfile(world, tenant, '4915112345605');
      down.answerWith(503);
      const since = new Date(world.now()).toISOString();
      await world.network.sendFromContact(contact, { to: phone, text: 'Are you there?' });
      await up.waitFor(({ data }) => data['body'] === 'Are you there?');
      const deliveries = `/webhooks/${made.body.id}/deliveries`;
      await eventually(async () => {
        world.moveClock(10_000); // less than requests have time: the gateway sees it in the middle of one
        const answer = await tenant.call<{ items: { status: string }[] }>('GET', deliveries);
        return answer.body.items?.some(({ status }) => status === 'failed') ? true : undefined;
      });
      down.answerWith(200);
      const replay = await tenant.call('POST', `/webhooks/${made.body.id}/replay`, { since });
      expect(replay.status).toBeLessThan(300);
      const told = await down.waitFor(({ data }) => data['body'] === 'Are you there?');
      const first = await up.waitFor(({ data }) => data['body'] === 'Are you there?');
      expect(told.headers['webhook-id']).toBe(first.headers['webhook-id']);
      await Promise.all([down.stop(), up.stop()]);
    }, 600_000);
  });
}
