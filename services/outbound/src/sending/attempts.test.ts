import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MessageFailed, MessageStatusChanged, SendImage } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, recipient, type OutboundTest } from '../testing/outbound-test.ts';
import { watching } from '../testing/watching.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
});
afterAll(() => outbound.stop());

const { handedTo, textsOf, queueOf, isDone } = watching(() => ({
  network: outbound.network,
  sql: outbound.service.sql,
}));
const statusesOf = async (messageId: string) =>
  (await outbound.service.published(MessageStatusChanged))
    .filter(({ data }) => data.messageId === messageId)
    .map(({ data }) => data.status);

describe('a durable send that the network refuses', () => {
  it('is tried three times, 1 s and 4 s later, and then fails with that code', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push(
      { refuse: 'RECIPIENT_UNKNOWN' },
      { refuse: 'RECIPIENT_UNKNOWN' },
      { refuse: 'RECIPIENT_UNKNOWN' },
    );
    const begun = outbound.service.clock.now();
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await eventually(() => handedTo(profile).length === 1);
    outbound.service.clock.advance(1000);
    await eventually(() => handedTo(profile).length === 2);
    outbound.service.clock.advance(4000);
    await isDone(profile);
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(outbound.service.clock.now() - begun).toBeGreaterThanOrEqual(5000);
    const [failed] = (await outbound.service.published(MessageFailed)).filter(
      ({ data }) => data.messageId === messageId,
    );
    expect(failed?.data).toMatchObject({ error: { code: 'RECIPIENT_UNKNOWN' }, type: 'text', origin: 'api' });
    expect(await statusesOf(messageId)).toEqual(['failed']);
  });

  it('is told why when its media could not be fetched at any attempt, each with the same source', async () => {
    const profile = await outbound.profile();
    const { profileId, caller } = profile;
    const unavailable = new Refused('MEDIA_UNAVAILABLE', 'The media could not be fetched.', { nothingLeft: true });
    outbound.network.script.push({ throw: unavailable }, { refuse: 'MEDIA_UNAVAILABLE' }, { throw: unavailable });
    const body = { profileId, to: recipient, url: 'https://8.8.8.8/picture' };
    await outbound.service.call(SendImage, { caller, body });
    await eventually(async () => (await queueOf(profile))[0]?.attempts === 1);
    outbound.service.clock.advance(1000);
    await eventually(() => handedTo(profile).length === 1);
    await eventually(async () => (await queueOf(profile))[0]?.attempts === 2);
    outbound.service.clock.advance(4000);
    await isDone(profile);
    expect(handedTo(profile)).toMatchObject([{ attempt: 2, content: { type: 'image', media: { url: body.url } } }]);
    const failed = (await outbound.service.published(MessageFailed)).filter((event) => event.profileId === profileId);
    expect(failed.map(({ data }) => data)).toMatchObject([{ type: 'image', error: { code: 'MEDIA_UNAVAILABLE' } }]);
  });

  it('holds up its own chat only', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ refuse: 'ENGINE_REFUSED' });
    await profile.send('one', { to: '4915111111111' });
    await eventually(() => handedTo(profile).length === 1);
    await profile.send('two', { to: '4915111111111' });
    await profile.send('other chat', { to: '4915122222222' });
    await eventually(() => handedTo(profile).length === 2);
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['one', 'other chat', 'one', 'two']);
  });

  it('goes on with its attempts after a restart', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ refuse: 'ENGINE_REFUSED' });
    await profile.send('Hello');
    await eventually(async () => (await queueOf(profile))[0]?.attempts === 1);
    await outbound.service.restart();
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('spends no attempt when sessions could not begin', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ throw: new Refused('SERVICE_UNAVAILABLE', 'Too late.', { nothingLeft: true }) });
    await profile.send('Hello');
    await eventually(() => outbound.network.script.length === 0);
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1]);
  });
});
