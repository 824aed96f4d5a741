import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CancelBroadcast,
  CreateTemplate,
  DeleteBroadcast,
  DeleteTemplate,
  EraseCampaignsData,
  keyOfMediaUrl,
  mediaKey,
  UpdateBroadcast,
  type Template,
} from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { broadcastsTest, type BroadcastsTest } from './broadcasts.fixture.ts';
import type { Shown } from './shown.ts';

/** A PNG of one dot. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const day = 24 * 3_600_000;

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest({ uploadRetentionDays: 10 })));
afterAll(() => test.stop());
beforeEach(() => test.others.begin());

const upload = async (organizationId = test.caller.organizationId): Promise<string> => {
  const key = mediaKey({ organizationId }, v7());
  await test.service.media.put(key, Readable.from([picture]), { filename: 'dot.png' });
  return key;
};
const image = (content: object) => ({ message: { type: 'image', content } });
const keyOf = ({ message }: Shown): string => keyOfMediaUrl(String(message.content?.url)) ?? '';
const isStored = async (key: string): Promise<boolean> => (await test.service.media.facts(key)) !== undefined;
const isGone = (key: string) => async (): Promise<boolean> => !(await isStored(key));
/** Keys of the media that were sent. */
const sentKeys = (): (string | undefined)[] =>
  test.others.accepted.map(({ content }) => keyOfMediaUrl(String(content['url'])));

describe('the media of a broadcast', () => {
  it('are its own from the draft on, until it has ended, and then as long as an upload', async () => {
    test.others.outcome = () => 'silent';
    const uploaded = await upload();
    const made = await test.create(image({ base64: uploaded, caption: 'For {{name}}' }));
    expect(made.message).toEqual({ type: 'image', content: { caption: 'For {{name}}', url: expect.any(String) } });
    await test.service.media.delete(uploaded);
    for (let days = 0; days < 9; days += 1) test.service.clock.advance(day);
    await test.start(made.id);
    await test.passUntil(() => test.others.accepted.length === 1);
    for (let days = 0; days < 9; days += 1) test.service.clock.advance(day);
    expect([await isStored(keyOf(made)), ...sentKeys()]).toEqual([true, keyOf(made)]);
    test.others.outcome = () => 'sent';
    await test.settle(test.others.accepted[0] as never);
    await test.passUntil(test.isOver(made.id));
    expect(sentKeys()).toEqual([keyOf(made), keyOf(made), keyOf(made)]);
    const endedAt = test.service.clock.now();
    await test.passUntil(isGone(keyOf(made)), day);
    expect(test.service.clock.now() - endedAt).toBeGreaterThanOrEqual(10 * day);
  });

  it('stay when the template that they are of is deleted', async () => {
    test.others.outcome = () => 'silent';
    const body = { name: v7(), category: 'other', messageType: 'image', content: { base64: await upload() } };
    const template = (await test.call(CreateTemplate, { body })).body as Static<typeof Template>;
    const ofTemplate = keyOfMediaUrl(String(template.content['url'])) ?? '';
    const { id } = await test.create({ message: { templateId: template.id } });
    await test.start(id);
    await test.passUntil(() => test.others.accepted.length === 1);
    await test.call(DeleteTemplate, { params: { id: template.id } });
    await test.passUntil(isGone(ofTemplate), day);
    const [key = ''] = sentKeys();
    expect([key === ofTemplate, await isStored(key)]).toEqual([false, true]);
    await test.call(CancelBroadcast, { params: { id } });
    await test.settle(test.others.accepted[0] as never);
    await test.call(DeleteBroadcast, { params: { id } });
    await test.passUntil(isGone(key), day);
  });

  it('that another content takes the place of go soon; those that are named again stay', async () => {
    const made = await test.create(image({ base64: await upload() }));
    const change = async (content: object) =>
      (await test.call(UpdateBroadcast, { params: { id: made.id }, body: image(content) })).body as Shown;
    expect(keyOf(await change({ ...made.message.content, caption: 'x' }))).toBe(keyOf(made));
    const changed = await change({ base64: await upload() });
    await test.passUntil(isGone(keyOf(made)), day);
    expect(await isStored(keyOf(changed))).toBe(true);
  });

  it('are of the organization and of the kind, and there when it starts', async () => {
    const refused = (content: object, type = 'image') => test.create({ message: { type, content } });
    const fault = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
    const own = await upload();
    await expect(refused({ base64: await upload(v7()) })).rejects.toMatchObject(fault('body.message.content.base64'));
    await expect(refused({ base64: own }, 'video')).rejects.toMatchObject(fault('body.message.content.base64'));
    await expect(refused({ base64: own, url: 'https://a.example/x.png' })).rejects.toMatchObject(
      fault('body.message.content.url'),
    );
    const made = await test.create(image({ base64: own }));
    await test.service.media.delete(keyOf(made));
    await expect(test.start(made.id)).rejects.toMatchObject(fault('message.content'));
    const { organizationId, userId } = test.caller;
    await test.service.ask(EraseCampaignsData, { organizationId, userId, wholeOrganization: true });
    expect(await test.service.sql.query('SELECT 1 FROM broadcast_media')).toEqual([]);
  });
});
