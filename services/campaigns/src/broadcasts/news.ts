import type {
  ContactUpdated,
  DataOf,
  EventEnvelope,
  MessageReceived,
  MessageStatusChanged,
} from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Audience } from './audience.ts';
import type { BroadcastRunner } from './runner.ts';

const receipts = { delivered: 1, read: 2, played: 3 } as const;
const isReceipt = (status: string): status is keyof typeof receipts => status in receipts;

/** Takes in how far messages of broadcasts have come; of other messages nothing is asked. */
export const statusNews =
  (runner: Pick<BroadcastRunner, 'settled'>) =>
  async (
    { messageId, status, origin }: DataOf<typeof MessageStatusChanged>,
    { time }: EventEnvelope,
  ): Promise<void> => {
    if (origin !== 'broadcast') return;
    const at = Date.parse(time);
    if (isReceipt(status)) await runner.settled(messageId, { receipt: receipts[status], at });
    else if (status === 'unknown') await runner.settled(messageId, { status, at });
  };

/** What happens to contacts while broadcasts run. */
export const contactNews =
  (audience: Audience) =>
  async ({ id, change, mergedInto, name, pushName, blocked }: DataOf<typeof ContactUpdated>): Promise<void> => {
    // The same person goes on under the other contact.
    if (mergedInto !== undefined && mergedInto !== null) return audience.mergeContact(id, mergedInto);
    if (change === 'deleted') {
      await audience.leaveOut({ contactId: id }, 'CONTACT_DELETED');
      return audience.forgetContact(id);
    }
    if (change === 'created') return;
    if (blocked === true) await audience.leaveOut({ contactId: id }, 'BLOCKED');
    await audience.renameContact(id, name ?? pushName ?? null);
  };

/** Profiles with variants are looked up so often, milliseconds: nobody answers sooner. */
const rememberedMs = 1000;

/** Who answers a broadcast with variants. Messages to other profiles cost no statement of their own. */
export function answerNews(audience: Audience, clock: Pick<Clock, 'now'>) {
  let known: { readonly until: number; readonly profiles: Promise<ReadonlySet<string>> } | undefined;
  const withVariants = (): Promise<ReadonlySet<string>> => {
    const now = clock.now();
    if (known === undefined || now >= known.until) {
      const profiles = audience.profilesWithVariants(now);
      known = { until: now + rememberedMs, profiles };
      profiles.catch(() => (known = undefined));
    }
    return known.profiles;
  };
  return async ({ from, timestamp }: DataOf<typeof MessageReceived>, { profileId }: EventEnvelope): Promise<void> => {
    if (profileId === undefined || from.endsWith('@g.us') || !(await withVariants()).has(profileId)) return;
    await audience.replied(profileId, from, Date.parse(timestamp));
  };
}
