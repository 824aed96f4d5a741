import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BroadcastStarted,
  ConnectionQr,
  ConversationUpdated,
  ListWebhookDeliveries,
  ReadEvents,
  ReadLive,
  TellLive,
  events,
  liveKinds,
  livePermission,
  permissions,
  systemRoles,
  type BodyOf,
  type Caller,
} from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { makeWebhook, tellMany, tellSent, testWebhooks } from './testing/webhooks-service.ts';

interface Answer {
  items: { id: string; event: string; profileId: string | null; data: Record<string, unknown> }[];
  nextCursor: string;
}

describe('GET /live', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testWebhooks();
  });
  afterAll(() => service.stop());
  const read = async (caller: Caller, query: Record<string, unknown> = {}): Promise<Answer> =>
    (await service.call(ReadLive, { caller, query })).body as Answer;
  const ids = ({ items }: Answer): string[] => items.map(({ id }) => id);
  const kinds = ({ items }: Answer): string[] => items.map(({ event }) => event);

  const conversation = (profileId = v7()) => ({ conversationId: v7(), profileId, change: 'archived' as const });
  const update = ({ organizationId }: Caller, data = conversation()) =>
    service.emit(ConversationUpdated, data, { organizationId, profileId: data.profileId });
  const notification = (caller: Caller, userId: string): BodyOf<typeof TellLive>['events'][number] => ({
    id: v7(),
    organizationId: caller.organizationId,
    kind: 'notification.created',
    at: new Date(service.clock.now()).toISOString(),
    data: { userId, type: 'mention' },
  });
  const tell = (...told: BodyOf<typeof TellLive>['events']) => service.ask(TellLive, { events: told });

  it('begins with now, and goes on after a cursor, an event, or a heartbeat’s place', async () => {
    const caller = testCaller();
    await tellMany(service, caller, 2);
    const begun = await read(caller);
    expect(begun.items).toEqual([]);
    const [first, second, third] = await tellMany(service, caller, 3);
    expect(ids(await read(caller, { after: begun.nextCursor }))).toEqual([first?.id, second?.id, third?.id]);
    expect(ids(await read(caller, { after: second?.id }))).toEqual([third?.id]);
    await expect(read(testCaller(), { after: first?.id })).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    await expect(read(caller, { after: 'nonsense' })).rejects.toMatchObject({ details: [{ path: 'query.after' }] });
  });

  it('tells each what the permissions allow, and passes over the rest', async () => {
    const organizationId = v7();
    const as = (given: readonly string[]) => testCaller({ organizationId, permissions: given });
    const all = as(permissions);
    const { nextCursor: after } = await read(all);
    const profileId = v7();
    const about = { organizationId, profileId };
    await tellSent(service, all, profileId);
    await update(all, conversation(profileId));
    await service.emit(ConnectionQr, { qr: 'x', expiresAt: new Date().toISOString() }, about);
    await service.emit(BroadcastStarted, { id: v7(), total: 1, sent: 0, failed: 0 }, { organizationId });
    const seen = async (given: readonly string[]) => kinds(await read(as(given), { after })).toSorted();
    expect(await seen(permissions)).toEqual([
      'broadcast.started',
      'connection.qr',
      'conversation.updated',
      'message.sent',
    ]);
    expect(await seen(systemRoles.Manager)).toEqual(await seen(permissions));
    expect(await seen(systemRoles.Viewer)).toEqual(['broadcast.started', 'conversation.updated', 'message.sent']);
    expect(await seen(['broadcast:read'])).toEqual(['broadcast.started']);
    expect(await seen([])).toEqual([]);
    const one = await read(as(['broadcast:read']), { after, limit: 1 });
    expect((await read(as(['broadcast:read']), { after: one.nextCursor })).items).toEqual([]);
  });

  it('tells a key that is limited to profiles of those alone', async () => {
    const [caller, profileId] = [testCaller(), v7()];
    const limited = { ...caller, apiKeyId: v7(), profileIds: [profileId] };
    const { nextCursor: after } = await read(limited);
    const own = await update(caller, conversation(profileId));
    await update(caller);
    await service.emit(BroadcastStarted, { id: v7(), total: 1, sent: 0, failed: 0 }, caller);
    expect(ids(await read(limited, { after }))).toEqual([own.id]);
  });

  it('is alone in telling what webhooks and GET /events are not told', async () => {
    const caller = testCaller();
    const { id } = await makeWebhook(service, caller, { url: 'http://127.0.0.1:1/', events: ['*'] });
    const { nextCursor: after } = await read(caller);
    await update(caller);
    await tell({ ...notification(caller, caller.userId), kind: 'bulk.progress', data: { id: v7(), total: 3 } });
    const sent = await tellSent(service, caller);
    expect(kinds(await read(caller, { after }))).toEqual(['conversation.updated', 'bulk.progress', 'message.sent']);
    const told = (await service.call(ReadEvents, { caller, query: {} })).body as Answer;
    expect(ids(told)).toEqual([sent.id]);
    const { body } = await service.call(ListWebhookDeliveries, { caller, params: { id }, query: {} });
    expect((body as { items: { eventId: string }[] }).items.map(({ eventId }) => eventId)).toEqual([sent.id]);
  });

  it('tells a notification to its reader alone, once, and to no key', async () => {
    const caller = testCaller();
    const other = { ...caller, userId: v7() };
    const { nextCursor: after } = await read(caller);
    const mine = notification(caller, caller.userId);
    await tell(mine, notification(caller, v7()));
    await tell(mine);
    expect(ids(await read(caller, { after }))).toEqual([mine.id]);
    expect(ids(await read({ ...caller, permissions: [] }, { after }))).toEqual([mine.id]);
    expect(ids(await read(other, { after }))).toEqual([]);
    expect(ids(await read({ ...caller, apiKeyId: v7() }, { after }))).toEqual([]);
  });

  it('wakes whoever waits, each of many', async () => {
    const caller = testCaller();
    const { nextCursor: after } = await read(caller);
    const waiting = Array.from({ length: 200 }, () => read(caller, { after, wait: 30 }));
    await tellSent(service, testCaller());
    const { id } = await update(caller);
    expect(new Set((await Promise.all(waiting)).map((answer) => ids(answer).join(' ')))).toEqual(new Set([id]));
  });
});

it('every kind that is told live says which permission it needs', () => {
  const told = events
    .filter(({ visibility, live }) => visibility === 'public' || live === true)
    .map(({ type }) => type);
  expect(told.filter((kind) => !liveKinds.includes(kind))).toEqual([]);
  const words: readonly string[] = ['own', ...permissions];
  expect(liveKinds.filter((kind) => !words.includes(livePermission(kind)))).toEqual([]);
  // Where a group has no word of its own, only those who manage webhooks see it: none is forgotten so.
  expect(liveKinds.filter((kind) => livePermission(kind) === 'webhook:manage')).toEqual(['webhook.disabled']);
});
