import type {
  ContactUpdated,
  DataOf,
  EventEnvelope,
  MessageReceived,
  MessageStatusChanged,
} from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Answers } from './answers.ts';
import type { Contacts } from './contacts.ts';
import type { Outcomes } from './outcomes.ts';

const receipts = { delivered: 1, read: 2, played: 3 } as const;
const isReceipt = (status: string): status is keyof typeof receipts => status in receipts;

/** Takes in how far messages of broadcasts have come; of other messages nothing is asked. */
export const statusNews =
  (outcomes: Pick<Outcomes, 'settled'>) =>
  async (
    { messageId, status, origin }: DataOf<typeof MessageStatusChanged>,
    { time }: EventEnvelope,
  ): Promise<void> => {
    if (origin !== 'broadcast') return;
    const at = Date.parse(time);
    if (isReceipt(status)) await outcomes.settled(messageId, { receipt: receipts[status], at });
    else if (status === 'unknown') await outcomes.settled(messageId, { status, at });
  };

/** Takes in changes of contacts while broadcasts run. */
export const contactNews =
  (contacts: Contacts) =>
  async ({ id, change, mergedInto, name, pushName, blocked }: DataOf<typeof ContactUpdated>): Promise<void> => {
    // The same person goes on under the other contact.
    if (mergedInto !== undefined && mergedInto !== null) return contacts.merged(id, mergedInto);
    if (change === 'deleted') return contacts.deleted(id);
    if (change === 'created') return;
    if (blocked === true) await contacts.blocked(id);
    await contacts.renamed(id, name ?? pushName ?? null);
  };

/** Profiles with variants are looked up so often, milliseconds; broadcasts with variants begin to send no sooner. */
export const rememberedMs = 1000;

/** Takes in answers to broadcasts with variants. Messages to other profiles cost no statement of their own. */
export function answerNews(answers: Answers, clock: Pick<Clock, 'now'>) {
  let known: { readonly until: number; readonly profiles: Promise<ReadonlySet<string>> } | undefined;
  const withVariants = (): Promise<ReadonlySet<string>> => {
    const now = clock.now();
    if (known === undefined || now >= known.until) {
      const profiles = answers.profiles(now);
      known = { until: now + rememberedMs, profiles };
      profiles.catch(() => (known = undefined));
    }
    return known.profiles;
  };
  return async ({ from, timestamp }: DataOf<typeof MessageReceived>, { profileId }: EventEnvelope): Promise<void> => {
    if (profileId === undefined || from.endsWith('@g.us') || !(await withVariants()).has(profileId)) return;
    await answers.came(profileId, from, Date.parse(timestamp));
  };
}
