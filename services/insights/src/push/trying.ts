import type { TestPush } from '@messaging-gateway/contracts';
import { SlowPlaces } from '@messaging-gateway/runtime';
import type { InputOf } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { outcomeOf } from './pushes.ts';
import type { Browser, PushSender } from './sender.ts';

/** Tests under way: of one user, and in all, by one replica. */
const places = new SlowPlaces(20, 100);

export interface TryingParts extends Pick<InsightsTools, 'sql' | 'clock'> {
  readonly sender: () => Promise<PushSender>;
}

/** Pushes a test to all browsers of the caller, one time. */
export async function testPush(
  { sql, clock, sender }: TryingParts,
  { caller: { organizationId, userId }, context }: InputOf<typeof TestPush>,
): Promise<{ sent: number; failed: number; removed: number }> {
  const by = await sender();
  const browsers = await sql.query<Browser & { readonly id: string }>(
    'SELECT id, endpoint, p256dh, auth FROM push_subscriptions WHERE organization_id = $1 AND user_id = $2 AND vapid_key = $3',
    [organizationId, userId, by.publicKey],
  );
  const payload = {
    id: context.requestId,
    type: 'system',
    title: 'Test',
    body: 'Notifications are pushed to this browser.',
    tag: 'test',
    url: '/account',
  };
  const outcomes = await Promise.all(
    browsers.map(async (browser) => {
      const giveBack = places.take(userId);
      if (giveBack === undefined) return 'failed';
      try {
        const pushed = await by.push(browser, payload, clock.now());
        const isRemoved = await outcomeOf(sql, browser.id, pushed, clock.now());
        return isRemoved ? 'removed' : pushed.outcome === 'taken' ? 'sent' : 'failed';
      } finally {
        giveBack();
      }
    }),
  );
  const count = (wanted: string): number => outcomes.filter((outcome) => outcome === wanted).length;
  return { sent: count('sent'), failed: count('failed'), removed: count('removed') };
}
