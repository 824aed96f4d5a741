import {
  ReviewPresence,
  type AnswerOf,
  type FollowPresence,
  type InternalOperation,
  type UnfollowPresence,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestContext, ServiceTools, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { requireCapability, type Engines } from '../engine/engines.ts';
import { findProfile } from '../profiles/profile-table.ts';
import type { ReadFollowed } from './followed-chats.ts';
import {
  presenceSubscriptionStream,
  subscriptionIdOf,
  type PresenceSubscriptionCommand,
} from './presence-subscription.ts';

/** Chats of one profile that are followed at the same time, at most: those that were asked for last. */
const mostChats = 100;
/** The holder takes no longer to ask the network; it looks for itself later, milliseconds. */
const reviewMs = 3_000;

type Body<O extends InternalOperation> = Static<O['body']>;

/** Chats whose presence is told, and the replica that holds the profile told of it. */
export class PresenceSubscriptions {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql' | 'store' | 'ask' | 'clock'>;
  readonly #engines: Engines;

  constructor(tools: Pick<ServiceTools<unknown>, 'sql' | 'store' | 'ask' | 'clock'>, engines: Engines) {
    this.#tools = tools;
    this.#engines = engines;
  }

  /** @throws Refused NOT_FOUND, ENGINE_UNSUPPORTED */
  async follow(body: Body<typeof FollowPresence>, context: RequestContext): Promise<AnswerOf<typeof FollowPresence>> {
    const { organizationId, profileId, conversationId, chat, minutes } = body;
    const profile = await findProfile(this.#tools.sql, organizationId, profileId);
    if (profile === undefined) throw new Refused('NOT_FOUND', 'There is no such profile.');
    requireCapability(this.#engines.of(profile.engine ?? this.#engines.defaultKind), 'presence');
    const now = this.#tools.clock.now();
    const [at, expiresAt] = [new Date(now).toISOString(), new Date(now + minutes * 60_000).toISOString()];
    await this.#note(body, { type: 'FollowPresence', profileId, conversationId, chat, at, until: expiresAt }, context);
    return { expiresAt };
  }

  async unfollow(body: Body<typeof UnfollowPresence>, context: RequestContext): Promise<Record<string, never>> {
    const { organizationId, profileId, conversationId } = body;
    if ((await findProfile(this.#tools.sql, organizationId, profileId)) === undefined) return {};
    await this.#note(body, { type: 'UnfollowPresence', profileId, conversationId }, context);
    return {};
  }

  /** Forgets those whose time has passed: nobody reads them any more. */
  async forgetEnded(): Promise<void> {
    const { sql, clock } = this.#tools;
    await sql.query('DELETE FROM presence_subscriptions WHERE expires_at < $1', [new Date(clock.now())]);
  }

  async #note(
    { organizationId, profileId, conversationId }: Body<typeof UnfollowPresence>,
    command: PresenceSubscriptionCommand,
    { requestId, traceparent, appended }: RequestContext,
  ): Promise<void> {
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:inbox',
      requestId,
      ...(traceparent !== undefined && { traceparent }),
    };
    const id = subscriptionIdOf(profileId, conversationId);
    await this.#tools.store.handle(presenceSubscriptionStream, id, command, { metadata, onAppended: appended });
    // Nobody holds a profile that is not connected, and whoever does looks for itself before long.
    const asking = { route: profileId, holdMs: 0, timeoutMs: reviewMs, requestId };
    await this.#tools.ask(ReviewPresence, { organizationId, profileId }, asking).catch(() => undefined);
  }
}

interface Row {
  readonly profile_id: string;
  readonly conversation_id: string;
  readonly chat: string;
  readonly expires_at: Date;
}

/** Reads what is subscribed: one statement for all profiles. */
export const readFollowed =
  (sql: Sql, now: () => number): ReadFollowed =>
  async (profileIds) => {
    const rows = await sql.query<Row>(
      `SELECT found.profile_id, found.conversation_id, found.chat, found.expires_at FROM unnest($1::uuid[]) profile(id) CROSS JOIN LATERAL (
         SELECT profile_id, conversation_id, chat, expires_at FROM presence_subscriptions
          WHERE profile_id = profile.id AND expires_at > $2 ORDER BY since DESC LIMIT ${mostChats}) found`,
      [profileIds, new Date(now())],
    );
    return Map.groupBy(
      rows.map((row) => ({ ...row, conversationId: row.conversation_id, until: row.expires_at.getTime() })),
      (row) => row.profile_id,
    );
  };
