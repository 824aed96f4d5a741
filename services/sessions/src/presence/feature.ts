import { FollowPresence, UnfollowPresence } from '@messaging-gateway/contracts';
import { every, feature, internalOperation, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { engines } from '../engine/feature.ts';
import { presenceSubscriptionsMigration } from './0008-presence-subscriptions.migration.ts';
import { presenceSeenStream, presenceTells } from './presence-seen.ts';
import { presenceSubscriptionStream, presenceSubscriptionViews } from './presence-subscription.ts';
import { PresenceSubscriptions } from './subscriptions.ts';

/** Presence and typing of the other side, told of the chats that are subscribed. Holders follow them (`followed-chats.ts`). */
export const presence = feature({
  name: 'presence',
  streams: [presenceSubscriptionStream, presenceSeenStream],
  views: presenceSubscriptionViews,
  migrations: [presenceSubscriptionsMigration],
  tells: [presenceTells],
  needs: { engines },
  connect: (tools: ServiceTools<SessionsSettings>, needed) => {
    const subscriptions = new PresenceSubscriptions(tools, needed.engines);
    return {
      rows: [
        internalOperation(FollowPresence, (body, context) => subscriptions.follow(body, context)),
        internalOperation(UnfollowPresence, (body, context) => subscriptions.unfollow(body, context)),
      ],
      jobs: [every('1h', 'presence subscriptions that have ended', () => subscriptions.forgetEnded())],
      personalData: { tables: ['presence_subscriptions'] },
    };
  },
});
