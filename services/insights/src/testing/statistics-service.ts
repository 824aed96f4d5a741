import {
  CountAutomations,
  CountBroadcasts,
  CountContacts,
  CountProfiles,
  DescribeOrganization,
  ListCountedMessages,
  MessageAccepted,
  MessageReceived,
  MessageStatusChanged,
  type AnswerOf,
  type Caller,
  type DataOf,
  type InternalOperation,
  type MessageStatusWord,
} from '@messaging-gateway/contracts';
import { testService, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { insights } from '../service.ts';
import { insightsDefaults } from './insights-defaults.ts';

export type Counted = AnswerOf<typeof ListCountedMessages>['items'][number];

/** Facts that the other services know: a test changes them. */
export interface Others {
  readonly profiles: Set<string>;
  timezone: string;
  readonly stored: Counted[];
}

/** Insights on a real PostgreSQL beside services that count what they are told. @param away what nobody answers */
export async function testStatistics(
  statisticsRetentionDays = 730,
  away: readonly InternalOperation[] = [],
): Promise<{ readonly service: TestService; readonly others: Others }> {
  const others: Others = { profiles: new Set(), timezone: 'UTC', stored: [] };
  const service = await testService(insights, {
    settings: { ...insightsDefaults, statisticsRetentionDays },
    others: async (put) => {
      const fake: typeof put = async (contract, handler) =>
        away.includes(contract) ? async () => undefined : put(contract, handler);
      await fake(DescribeOrganization, () => ({ timezone: others.timezone }));
      await fake(CountProfiles, ({ profileIds }) => {
        const total = [...others.profiles].filter((id) => profileIds?.includes(id) ?? true).length;
        return { total, connected: total };
      });
      await fake(CountContacts, ({ times }) => ({
        total: 3,
        withTags: 1,
        topTags: [{ tag: 'customer', count: 1 }],
        before: 1,
        made: times.slice(1).map((_, index) => (index === 0 ? 2 : 0)),
      }));
      await fake(CountBroadcasts, () => ({
        total: 2,
        byStatus: { running: 1, completed: 1 },
        messages: { total: 10, sent: 9, failed: 1, delivered: 8, read: 4 },
      }));
      await fake(CountAutomations, () => ({ total: 1, enabled: 1, triggered: 3, succeeded: 2, failed: 1, top: [] }));
      await fake(ListCountedMessages, ({ after = '', limit }) => {
        const items = others.stored.filter(({ messageId }) => messageId > after).slice(0, limit);
        return { items, next: items.length < limit ? null : (items.at(-1)?.messageId ?? null) };
      });
    },
  });
  return { service, others };
}

/** In which chat of which profile. */
export interface Chat {
  readonly caller: Pick<Caller, 'organizationId'>;
  readonly profileId: string;
  readonly conversationId: string;
  readonly jid?: string;
}

const jid = '4915112345678@c.us';

/** A message that came in at a time, milliseconds since 1970. @returns its id */
export async function receive(service: TestService, chat: Chat, at: number): Promise<string> {
  const id = v7({ msecs: at });
  const { organizationId } = chat.caller;
  const data: DataOf<typeof MessageReceived> = {
    id,
    networkMessageId: id,
    conversationId: chat.conversationId,
    from: chat.jid ?? jid,
    type: 'text',
    content: { type: 'text', text: 'Hello' },
    hasMedia: false,
    timestamp: new Date(at).toISOString(),
  };
  await service.emit(MessageReceived, data, { organizationId, profileId: chat.profileId, key: chat.profileId });
  return id;
}

type Origin = DataOf<typeof MessageAccepted>['origin'];

/** A message that goes out at a time. @returns its id */
export async function send(
  service: TestService,
  chat: Chat,
  at: number,
  { origin = 'api', isCode, status }: { origin?: Origin; isCode?: true; status?: MessageStatusWord } = {},
): Promise<string> {
  const messageId = v7({ msecs: at });
  const data: DataOf<typeof MessageAccepted> = {
    messageId,
    profileId: chat.profileId,
    conversationId: chat.conversationId,
    networkMessageId: messageId,
    to: chat.jid ?? jid,
    type: 'text',
    content: { type: 'text', content: { text: 'Hello' } },
    origin,
    ...(isCode && { isCode }),
    mode: 'synchronous',
    acceptedAt: new Date(at).toISOString(),
  };
  await Promise.all([
    status && progress(service, chat, messageId, status),
    service.emit(MessageAccepted, data, {
      organizationId: chat.caller.organizationId,
      profileId: chat.profileId,
      key: chat.profileId,
    }),
  ]);
  return messageId;
}

/** A message has come so far. */
export async function progress(
  service: TestService,
  chat: Chat,
  messageId: string,
  status: MessageStatusWord,
): Promise<void> {
  const { profileId, conversationId } = chat;
  await service.emit(
    MessageStatusChanged,
    {
      messageId,
      to: jid,
      type: 'text',
      conversationId,
      origin: 'api',
      networkMessageId: messageId,
      status,
      previousStatus: 'queued',
    },
    { organizationId: chat.caller.organizationId, profileId, key: profileId },
  );
}
