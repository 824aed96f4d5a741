import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AcceptMessage, MessageSettled, MessageStatusChanged } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { laterTest, type LaterTest } from '../testing/later-test.ts';
import { recipient, type TestProfile } from '../testing/outbound-test.ts';

let test: LaterTest;
// In synchronous mode: what other services hand over is queued all the same.
beforeAll(async () => void (test = await laterTest()));
afterAll(() => test.stop());

type Given = Partial<Static<(typeof AcceptMessage)['body']>>;

const handOver = ({ profileId, caller }: TestProfile, given: Given = {}) =>
  test.service.ask(AcceptMessage, {
    messageId: v7(),
    organizationId: caller.organizationId,
    profileId,
    to: recipient,
    type: 'text',
    content: { text: 'Hello' },
    origin: 'broadcast',
    actor: 'user:somebody',
    attempts: 1,
    ...given,
  });
const settled = async (profile: TestProfile) =>
  (await test.service.published(MessageSettled))
    .filter(({ data }) => data.profileId === profile.profileId)
    .map(({ data }) => data);
const passUntilSettled = (profile: TestProfile) =>
  test.passUntil(async () => (await settled(profile)).length > 0, 1000);

describe('a message that another service hands over', () => {
  it('is queued in either mode, goes out when its profile is connected, and is told as settled', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    const messageId = v7();
    expect(await handOver(profile, { messageId })).toEqual({ status: 'queued', attempts: 0 });
    expect(test.textsOf(profile)).toEqual([]);
    await profile.reconnect();
    await passUntilSettled(profile);
    expect(test.textsOf(profile)).toEqual(['Hello']);
    expect(await settled(profile)).toMatchObject([{ messageId, origin: 'broadcast', status: 'sent', attempts: 1 }]);
  });

  it('is one, however often it is handed over, and answers what has become of it', async () => {
    const profile = await test.profile();
    const messageId = v7();
    await handOver(profile, { messageId });
    await handOver(profile, { messageId, content: { text: 'Something else' } });
    await passUntilSettled(profile);
    expect(await handOver(profile, { messageId })).toMatchObject({ status: 'sent', attempts: 1 });
    expect(test.textsOf(profile)).toEqual(['Hello']);
  });

  it('is answered of what it stands for, even if it would be refused now', async () => {
    const profile = await test.profile({ dailyMessageLimit: 1 });
    const messageId = v7();
    await handOver(profile, { messageId });
    await passUntilSettled(profile);
    for (const content of [{ text: 'Hello' }, { text: '' }])
      expect(await handOver(profile, { messageId, content })).toMatchObject({ status: 'sent', attempts: 1 });
    await expect(handOver(profile)).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
    expect(test.textsOf(profile)).toEqual(['Hello']);
  });

  it('is refused when the profile is of another organization', async () => {
    const [profile, stranger] = [await test.profile(), await test.profile()];
    await handOver(profile);
    const organizationId = v7();
    await expect(handOver(profile, { organizationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(handOver(stranger, { organizationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is tried as often as its terms say', async () => {
    const profile = await test.profile();
    const refused = { refuse: 'ENGINE_REFUSED' };
    test.network.script.push(refused, refused, refused, refused);
    await handOver(profile, { attempts: 5 });
    await passUntilSettled(profile);
    expect(await settled(profile)).toMatchObject([{ status: 'sent', attempts: 5 }]);
  });

  it('has failed after its last attempt', async () => {
    const profile = await test.profile();
    test.network.script.push({ refuse: 'ENGINE_REFUSED' }, { refuse: 'ENGINE_REFUSED' });
    await handOver(profile, { attempts: 2 });
    await passUntilSettled(profile);
    const error = { code: 'ENGINE_REFUSED' };
    expect(await settled(profile)).toMatchObject([{ status: 'failed', attempts: 2, error }]);
  });

  it('is not tried again when its number is not on the network', async () => {
    const profile = await test.profile();
    test.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' });
    await handOver(profile, { attempts: 4 });
    await passUntilSettled(profile);
    const error = { code: 'RECIPIENT_UNKNOWN' };
    expect(await settled(profile)).toMatchObject([{ status: 'failed', attempts: 1, error }]);
  });

  it('is not handed over after it has expired, in whichever process', async () => {
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    const messageId = v7();
    const expiresAt = new Date(test.service.clock.now() + 60_000).toISOString();
    await handOver(profile, { messageId, expiresAt });
    const [row] = await test.service.sql.query<{ expires_at: Date }>(
      'SELECT expires_at FROM queue WHERE message_id = $1',
      [messageId],
    );
    expect(row?.expires_at.toISOString()).toBe(expiresAt);
    test.service.clock.advance(61_000);
    await profile.reconnect();
    await passUntilSettled(profile);
    expect(await settled(profile)).toMatchObject([{ status: 'failed', attempts: 0, error: { code: 'EXPIRED' } }]);
    expect(test.textsOf(profile)).toEqual([]);
  });

  it('is refused as its send route refuses: the field, the profile, the limit', async () => {
    const profile = await test.profile({ dailyMessageLimit: 1 });
    const fault = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
    await expect(handOver(profile, { content: { text: '' } })).rejects.toMatchObject(fault('content.text'));
    await expect(handOver(profile, { content: { text: 'Hi', other: 1 } })).rejects.toMatchObject(
      fault('content.other'),
    );
    await expect(
      handOver(profile, { type: 'image', content: { url: 'http://127.0.0.1/a.png' } }),
    ).rejects.toMatchObject(fault('content.url'));
    await expect(handOver(profile, { profileId: v7() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await handOver(profile);
    await expect(handOver(profile)).rejects.toMatchObject({
      code: 'DAILY_LIMIT_REACHED',
      details: { resetAt: expect.any(String) },
    });
    await passUntilSettled(profile);
    expect(test.textsOf(profile)).toEqual(['Hello']);
  });

  it('tells its receipts with its origin', async () => {
    const profile = await test.profile();
    await handOver(profile);
    await passUntilSettled(profile);
    await test.receipt(profile);
    await test.passUntil(async () =>
      (await test.service.published(MessageStatusChanged)).some(({ data }) => data.status === 'delivered'),
    );
  });
});
