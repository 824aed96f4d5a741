import { setTimeout as delay } from 'node:timers/promises';
import {
  conversationIdOf,
  DescribeMembers,
  ListNotifications,
  MailMember,
  MembersChanged,
  MessageReceived,
  type AnswerOf,
  type Caller,
  type DataOf,
  type Notification,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type TestService, type TestServiceOptions } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import type { InsightsSettings } from '../config.ts';
import type { DescribedMember } from '../audience/member.ts';
import { insights } from '../service.ts';
import { insightsDefaults } from './insights-defaults.ts';

export type Shown = Static<typeof Notification>;
type Mail = { readonly userId: string; readonly subject: string; readonly text: string };

/** Identity at the bus, as far as notifications ask it. */
class Identity {
  readonly members = new Map<string, DescribedMember[]>();
  readonly mails: Mail[] = [];
  /** Whom it was asked to mail to. */
  readonly asked: string[] = [];
  isAway = false;
  /** Whoever asks for members waits, once they have said so. */
  holding: { readonly reached: () => void; readonly until: Promise<void> } | undefined;
  mailing: AnswerOf<typeof MailMember>['by'] | 'fails' = 'organization';

  of(organizationId: string): DescribedMember[] {
    return this.members.get(organizationId) ?? [];
  }
}

export const wanting = {
  notifyOnMessage: true,
  notifyOnConnect: true,
  notifyOnDisconnect: true,
  emailNotifications: false,
  pushNotifications: true,
};

/** Insights on a real PostgreSQL, with members of organizations. */
export interface NotificationsTest {
  readonly service: TestService;
  readonly identity: Identity;
  /** A new member, of a new organization unless one is given. */
  readonly join: (given?: Partial<DescribedMember> & { readonly organizationId?: string }) => Promise<Caller>;
  /** Somebody writes to a profile. @returns what was told */
  readonly write: (
    to: Caller,
    profileId: string,
    text: string,
    given?: Partial<DataOf<typeof MessageReceived>>,
  ) => Promise<DataOf<typeof MessageReceived>>;
  readonly list: (caller: Caller, query?: Record<string, unknown>) => Promise<Shown[]>;
  /** Resolves with the list once it holds so many. */
  readonly listed: (caller: Caller, count: number) => Promise<Shown[]>;
  /** Resolves when nothing waits to be told. */
  readonly rested: (stepMs?: number) => Promise<void>;
  /** Moves the clock on in small steps until something holds. */
  readonly until: (holds: () => boolean | Promise<boolean>, stepMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function notificationsTest(
  settings: Partial<InsightsSettings> = {},
  replicas = 1,
  division: TestServiceOptions<InsightsSettings>['division'] = 'one',
): Promise<NotificationsTest> {
  const identity = new Identity();
  const service = await testService(insights, {
    replicas,
    division,
    settings: { ...insightsDefaults, ...settings },
    others: async (fake) => {
      await fake(DescribeMembers, async ({ organizationId, after = '', limit }) => {
        identity.holding?.reached();
        await identity.holding?.until;
        if (identity.isAway) throw new Refused('SERVICE_UNAVAILABLE', 'Away.');
        const all = identity.of(organizationId).toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
        const members = all.filter(({ userId }) => userId > after).slice(0, limit);
        const last = members.at(-1)?.userId;
        return { members, next: last !== undefined && last !== all.at(-1)?.userId ? last : null };
      });
      await fake(MailMember, ({ userId, subject, text }) => {
        identity.asked.push(userId);
        if (identity.mailing === 'fails') throw new Refused('SERVICE_UNAVAILABLE', 'Full.');
        if (identity.mailing !== 'nobody') identity.mails.push({ userId, subject, text });
        return { by: identity.mailing };
      });
    },
  });
  const until: NotificationsTest['until'] = async (holds, stepMs = 200) => {
    for (let steps = 0; !(await holds()); steps += 1) {
      if (steps > 3000) throw new Error('It never came to that.');
      service.clock.advance(stepMs);
      await delay(5);
    }
  };
  const list: NotificationsTest['list'] = async (caller, query = {}) =>
    ((await service.call(ListNotifications, { caller, query })).body as { items: Shown[] }).items;
  const rested = async (): Promise<boolean> => {
    const [row] = await service.sql.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM notification_news)::int + (SELECT count(*) FROM notification_desks WHERE due IS NOT NULL)::int AS open`,
    );
    return row?.open === 0;
  };
  return {
    service,
    identity,
    join: async ({ organizationId = v7(), ...given } = {}) => {
      const caller = testCaller({ organizationId });
      const member = {
        userId: caller.userId,
        permissions: [...caller.permissions],
        preferences: wanting,
        preferencesVersion: 0,
        ...given,
      };
      identity.members.set(organizationId, [...identity.of(organizationId), member]);
      await service.emit(MembersChanged, { organizationId, change: 'joined' }, { organizationId });
      return { ...caller, userId: member.userId, permissions: member.permissions };
    },
    write: async ({ organizationId }, profileId, text, given = {}) => {
      const from = given.from ?? '4915112345678@c.us';
      const data: DataOf<typeof MessageReceived> = {
        id: v7(),
        networkMessageId: '3EB0C767D82B1F2A',
        conversationId: conversationIdOf(profileId, from),
        from,
        pushName: 'Ada',
        body: text,
        type: 'text',
        content: { type: 'text', text },
        hasMedia: false,
        timestamp: new Date(service.clock.now()).toISOString(),
        ...given,
      };
      await service.emit(MessageReceived, data, { organizationId, profileId });
      return data;
    },
    list,
    listed: async (caller, count) => {
      await until(async () => (await list(caller)).length >= count);
      return list(caller);
    },
    rested: (stepMs) => until(rested, stepMs),
    until,
    stop: () => service.stop(),
  };
}
