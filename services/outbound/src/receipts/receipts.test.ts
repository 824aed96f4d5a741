import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  conversationIdOf,
  MessageStatusChanged,
  ReadSendingStates,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { networkMessageIdOf } from '../message/message.ts';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';
import { textOf } from '../testing/text-of.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
});
afterAll(() => outbound.stop());

const textsOf = (profileId: string) =>
  outbound.network.handed.filter((handed) => handed.profileId === profileId).map(({ content }) => textOf(content));
const statusesOf = async (messageId: string) =>
  (await outbound.service.published(MessageStatusChanged))
    .filter(({ data }) => data.messageId === messageId)
    .map(({ data }) => data.status);
const isDone = ({ profileId }: TestProfile) =>
  eventually(
    async () =>
      (await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length === 0,
  );

describe('receipts', () => {
  it('come in any order, and a status never moves backwards', async () => {
    const profile = await outbound.profile();
    const {
      profileId,
      caller: { organizationId },
    } = profile;
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await isDone(profile);
    for (const status of ['read', 'delivered', 'read', 'played', 'delivered'] as const) {
      const receipt = {
        profileId,
        networkMessageId: networkMessageIdOf(messageId),
        status,
        at: new Date().toISOString(),
      };
      await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    }
    expect(await statusesOf(messageId)).toEqual(['sent', 'read', 'played']);
    const told = (await outbound.service.published(MessageStatusChanged)).filter(
      ({ data }) => data.messageId === messageId,
    );
    for (const { data } of told)
      expect(data).toMatchObject({
        type: 'text',
        origin: 'api',
        conversationId: conversationIdOf(profileId, data.to),
        networkMessageId: networkMessageIdOf(messageId),
      });
  });

  it('of messages that are not ours are dropped', async () => {
    const { profileId, caller } = await outbound.profile();
    const receipt = {
      profileId,
      networkMessageId: '3EB0FFFFFFFFFFFF',
      status: 'read' as const,
      at: new Date().toISOString(),
    };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId: caller.organizationId, profileId });
  });

  it('are found after a restart', async () => {
    const profile = await outbound.profile();
    const {
      profileId,
      caller: { organizationId },
    } = profile;
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await isDone(profile);
    await outbound.service.restart();
    const receipt = {
      profileId,
      networkMessageId: networkMessageIdOf(messageId),
      status: 'delivered' as const,
      at: new Date().toISOString(),
    };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    expect(await statusesOf(messageId)).toEqual(['sent', 'delivered']);
  });
});

describe('midnight in Jakarta', () => {
  it('resets the count; what is reserved takes a place of the new day', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 2 });
    const { profileId, caller } = profile;
    await profile.send('one');
    await isDone(profile);
    outbound.network.disconnected.add(profileId);
    await profile.send('two');
    await expect(profile.send('three')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED', details: { count: 2 } });
    outbound.service.clock.advance(24 * 3_600_000);
    const [state] = (
      await outbound.service.ask(ReadSendingStates, { organizationId: caller.organizationId, profileIds: [profileId] })
    ).items;
    expect(state).toMatchObject({ dailyMessageCount: 0, dailyMessageLimit: 2 });
    expect(Date.parse(state?.dailyResetAt ?? '')).toBeGreaterThan(outbound.service.clock.now());
    await profile.send('four');
    await expect(profile.send('five')).rejects.toMatchObject({ details: { count: 2 } });
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profileId)).toEqual(['one', 'two', 'four']);
  });
});
