import { describe, expect, it } from '@jest/globals';
import {
  ContactUpdated,
  GetLinkedMedia,
  MessageMedia,
  MessageReceived,
  mediaKey,
  mediaUrl,
  UpdateWebhook,
  type Caller,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { hour, webhooksTest } from '../testing/webhooks-test.ts';
import { makeWebhook, tellStatus } from '../testing/webhooks-service.ts';

const publicUrl = 'https://gateway.example.com';
const test = webhooksTest({ publicUrl });

/** Tells of a sticker whose picture is in the media store. @returns its key */
async function tellSticker({ organizationId }: Caller, profileId = v7()): Promise<string> {
  const key = mediaKey({ organizationId, profileId }, v7());
  const media = { url: mediaUrl(key), mimetype: 'image/webp', size: 68 };
  const data = {
    id: v7(),
    networkMessageId: '3EB0',
    conversationId: v7(),
    from: '4915112345678@c.us',
    pushName: 'Ada',
    body: mediaUrl(key),
    type: 'sticker' as const,
    content: { type: 'sticker' as const, media },
    hasMedia: true,
    media,
    quoted: { networkMessageId: '3EB1', body: 'Lunch?' },
    timestamp: '2026-01-01T00:00:00.000Z',
  };
  await test.service.emit(MessageReceived, data, { organizationId, profileId });
  return key;
}

const linked = async (url: string): Promise<unknown> =>
  (await test.service.call(GetLinkedMedia, { params: { token: url.slice(url.lastIndexOf('/') + 1) } })).body;
const absent = expect.objectContaining({ code: 'NOT_FOUND' });
const dataOf = (received: { body: { data: Record<string, unknown> } } | undefined) =>
  received?.body.data as { media: { url: string }; content?: { media: { url: string } }; body: string };

describe('an event to a webhook', () => {
  it('says all that the message says, with URLs that lead here, and nothing changed in what somebody wrote', async () => {
    const caller = testCaller();
    const receiver = await test.receiver();
    const webhook = await makeWebhook(test.service, caller, { url: receiver.url });
    expect(webhook).toMatchObject({ payloadVersion: 2, signedMediaUrls: false });
    const key = await tellSticker(caller);
    const [received] = await receiver.count(1);
    const url = publicUrl + mediaUrl(key);
    expect(received?.body.data).toMatchObject({
      type: 'sticker',
      pushName: 'Ada',
      quoted: { body: 'Lunch?' },
      body: mediaUrl(key),
      content: { type: 'sticker', media: { url } },
      media: { url },
    });
  });

  it('has a URL that leads here in replaced media', async () => {
    const caller = testCaller();
    const receiver = await test.receiver();
    await makeWebhook(test.service, caller, { url: receiver.url });
    const key = mediaKey({ organizationId: caller.organizationId, profileId: v7() }, v7());
    const media = { url: mediaUrl(key), mimetype: 'image/jpeg', size: 68 };
    const { organizationId } = caller;
    await test.service.emit(MessageMedia, { messageId: v7(), conversationId: v7(), media }, { organizationId });
    const [received] = await receiver.count(1);
    expect(received?.body.data).toMatchObject({ media: { ...media, url: publicUrl + media.url } });
  });

  it('is as it was before to a webhook of payload version 1', async () => {
    const caller = testCaller();
    const receiver = await test.receiver();
    await makeWebhook(test.service, caller, { url: receiver.url, payloadVersion: 1 });
    const key = await tellSticker(caller);
    const [received] = await receiver.count(1);
    expect(received?.body.data).toEqual({
      id: expect.any(String),
      networkMessageId: '3EB0',
      conversationId: expect.any(String),
      from: '4915112345678@c.us',
      body: mediaUrl(key),
      type: 'image',
      hasMedia: true,
      media: { url: publicUrl + mediaUrl(key), mimetype: 'image/webp', size: 68 },
      timestamp: '2026-01-01T00:00:00.000Z',
    });
  });

  it('tells of a status and of a merged contact with all that it says, and as before to payload version 1', async () => {
    const caller = testCaller();
    const [now, before] = [await test.receiver(), await test.receiver()];
    await makeWebhook(test.service, caller, { url: now.url });
    await makeWebhook(test.service, caller, { url: before.url, payloadVersion: 1 });
    await tellStatus(test.service, caller);
    const { organizationId } = caller;
    const merged = { id: v7(), change: 'deleted' as const, profileId: null, mergedInto: v7() };
    await test.service.emit(ContactUpdated, merged, { organizationId });
    const told = async (receiver: typeof now) =>
      new Map((await receiver.count(2)).map(({ body }) => [body.event, body.data]));
    const [whole, earlier] = [await told(now), await told(before)];
    expect(whole.get('message.status')).toMatchObject({ status: 'read', type: 'text', origin: 'api' });
    expect(whole.get('contact.updated')).toEqual(merged);
    const fields = ['messageId', 'networkMessageId', 'previousStatus', 'status', 'to'];
    expect(Object.keys(earlier.get('message.status') ?? {}).toSorted()).toEqual(fields);
    expect(earlier.get('contact.updated')).toEqual({ id: merged.id, change: 'deleted', profileId: null });
  });

  it('of version 1 has a contact with another number as one that was updated', async () => {
    const caller = testCaller();
    const [now, before] = [await test.receiver(), await test.receiver()];
    await makeWebhook(test.service, caller, { url: now.url });
    await makeWebhook(test.service, caller, { url: before.url, payloadVersion: 1 });
    const { organizationId } = caller;
    const moved = { id: v7(), change: 'number', profileId: null, phone: '4915112345679' } as const;
    const data = { ...moved, previousPhone: '4915112345678' };
    await test.service.emit(ContactUpdated, data, { organizationId });
    expect((await now.count(1))[0]?.body.data).toEqual(data);
    expect((await before.count(1))[0]?.body.data).toEqual({ ...moved, change: 'updated' });
  });

  it('has links to media that are good for an hour without a credential, when the webhook wants that', async () => {
    const caller = testCaller();
    const receiver = await test.receiver();
    const { id } = await makeWebhook(test.service, caller, { url: receiver.url, signedMediaUrls: true });
    const key = await tellSticker(caller);
    const [received] = await receiver.count(1);
    const { media, content, body } = dataOf(received);
    expect(body).toBe(mediaUrl(key));
    for (const url of [media.url, content?.media.url ?? '']) {
      expect(url).toMatch(/^https:\/\/gateway\.example\.com\/api\/v1\/media\/links\/[\w-]+$/);
      expect(await linked(url)).toEqual({ key });
    }
    const change = (changes: object): Promise<unknown> =>
      test.service.call(UpdateWebhook, { caller, params: { id }, body: changes });
    await change({ profileIds: [v7()] });
    await expect(linked(media.url)).rejects.toEqual(absent);
    await change({ profileIds: null, enabled: false });
    await expect(linked(media.url)).rejects.toEqual(absent);
    await change({ enabled: true });
    expect(await linked(media.url)).toEqual({ key });
    const { url } = media;
    const changed = url.slice(0, -9) + (url.at(-9) === 'A' ? 'B' : 'A') + url.slice(-8);
    for (const other of [changed, `${url.slice(0, url.lastIndexOf('/'))}/x`])
      await expect(linked(other)).rejects.toEqual(absent);
    test.service.clock.advance(hour);
    await expect(linked(url)).rejects.toEqual(absent);
  });

  it('makes no link to media of somebody else', async () => {
    const caller = testCaller();
    const receiver = await test.receiver();
    await makeWebhook(test.service, caller, { url: receiver.url, signedMediaUrls: true });
    const profileId = v7();
    const url = mediaUrl(mediaKey({ organizationId: v7(), profileId }, v7()));
    const media = { url, mimetype: 'image/png', size: 1 };
    const data = {
      id: v7(),
      networkMessageId: '3EB0',
      conversationId: v7(),
      from: '4915112345678@c.us',
      type: 'image' as const,
      content: { type: 'image' as const, media },
      hasMedia: true,
      media,
      timestamp: '2026-01-01T00:00:00.000Z',
    };
    await test.service.emit(MessageReceived, data, { organizationId: caller.organizationId, profileId });
    const [received] = await receiver.count(1);
    expect(dataOf(received).media.url).toBe(publicUrl + url);
  });
});
