import { namedUuids } from '@messaging-gateway/contracts';
import { view, type Decider, type InlineView, type StreamType } from '@messaging-gateway/event-sourcing';

/** A chat whose presence is told. Times: ISO 8601. */
interface Followed {
  readonly profileId: string;
  readonly conversationId: string;
  /** JID of the chat. */
  readonly chat: string;
  readonly at: string;
  readonly until: string;
}

export type PresenceSubscriptionEvent =
  | { type: 'PresenceFollowed'; data: Followed }
  | { type: 'PresenceUnfollowed'; data: { readonly profileId: string; readonly conversationId: string } };
export type PresenceSubscriptionCommand =
  | ({ readonly type: 'FollowPresence' } & Followed)
  | { readonly type: 'UnfollowPresence'; readonly profileId: string; readonly conversationId: string };
export interface PresenceSubscription {
  readonly isFollowed: boolean;
}

function decide(
  { type, ...data }: PresenceSubscriptionCommand,
  { isFollowed }: PresenceSubscription,
): readonly PresenceSubscriptionEvent[] {
  if (type === 'FollowPresence') return [{ type: 'PresenceFollowed', data: data as Followed }];
  return isFollowed ? [{ type: 'PresenceUnfollowed', data }] : [];
}

/** A subscription to the presence of a chat: until its time, or until nobody wants it. */
export const presenceSubscription: Decider<
  PresenceSubscription,
  PresenceSubscriptionCommand,
  PresenceSubscriptionEvent
> = {
  initial: { isFollowed: false },
  decide,
  evolve: (_, { type }) => ({ isFollowed: type === 'PresenceFollowed' }),
};

/** Subscriptions are shorter than a day, and so than any retention. */
export const presenceSubscriptionStream: StreamType<
  PresenceSubscription,
  PresenceSubscriptionCommand,
  PresenceSubscriptionEvent
> = {
  name: 'presence-subscription',
  decider: presenceSubscription,
  ends: true,
  snapshotEvery: 100,
  events: {
    PresenceFollowed: { version: 1, personal: ['chat'] },
    PresenceUnfollowed: { version: 1 },
  },
};

const uuidOf = namedUuids('c1f0b7de-93a4-5d0e-8f0b-5f8f4b1c9a27');

/** The id of the stream of one chat. */
export const subscriptionIdOf = (profileId: string, conversationId: string): string =>
  uuidOf(`${profileId} ${conversationId}`);

const tables = ['presence_subscriptions'];
const idOf = ({ stream }: { readonly stream: string }): string => stream.slice('presence-subscription-'.length);

const followed = view({
  name: 'presence followed',
  tables,
  of: presenceSubscriptionStream,
  on: ['PresenceFollowed'],
  rows: (events) =>
    events
      .map((event) => ({ id: idOf(event), organizationId: event.metadata.organizationId, ...event.data }))
      .slice(-1),
  sql: `INSERT INTO {schema}.presence_subscriptions (id, organization_id, profile_id, conversation_id, chat, since, expires_at)
    SELECT (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'profileId')::uuid, (row->>'conversationId')::uuid,
           row->>'chat', (row->>'at')::timestamptz, (row->>'until')::timestamptz FROM {rows}
    ON CONFLICT (id) DO UPDATE SET since = excluded.since, expires_at = excluded.expires_at`,
});

const unfollowed = view({
  name: 'presence unfollowed',
  tables,
  of: presenceSubscriptionStream,
  on: ['PresenceUnfollowed'],
  rows: (events) => events.map((event) => ({ id: idOf(event) })),
  sql: `DELETE FROM {schema}.presence_subscriptions USING {rows} WHERE id = (row->>'id')::uuid`,
});

export const presenceSubscriptionViews: readonly InlineView[] = [followed, unfollowed];
