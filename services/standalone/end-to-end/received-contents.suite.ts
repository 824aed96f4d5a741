import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { LinkedProfile, ReceivedDelivery, Tenant, WebhookReceiver } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654391';
const largeBytes = 9_000;
/** First bytes of a PNG. */
const pictureStart = '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154';

interface Page {
  readonly items: readonly { readonly id: string; readonly content: Record<string, unknown> }[];
}

/** Contents that only arrive, from the network to webhooks, records, search and flows. */
export function receivedContents(at: () => World): void {
  describe('contents that arrive', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('');
      const hook = { url: receiver.url, events: ['message.received', 'message.media'], payloadVersion: 2 };
      await tenant.call('POST', '/webhooks', hook);
      profile = await linkProfile(world, tenant, '4915112345691');
    }, 600_000);
    afterAll(() => receiver.stop());

    /** The contact writes in the network's own format. @returns the webhook's event of it */
    const receive = async (message: Record<string, unknown>): Promise<ReceivedDelivery> => {
      const { id } = await world.network.sendFromContact(contact, {
        to: profile.phone,
        content: { type: 'raw', message },
      });
      return receiver.waitFor(({ event, data }) => event === 'message.received' && data['networkMessageId'] === id);
    };
    const record = async ({ data }: ReceivedDelivery) =>
      (await tenant.call<Page['items'][number]>('GET', `/messages/${String(data['id'])}`)).body;

    it('name the profile by the address that groups mention', async () => {
      const { lid } = await world.network.phone(profile.phone);
      const { body } = await tenant.call('GET', `/profiles/${profile.profileId}`);
      expect(body).toMatchObject({ lid: `${lid}@lid` });
    }, 600_000);

    it('have the text of a template as body, its buttons as choices, and are found', async () => {
      const told = await receive({
        templateMessage: {
          hydratedTemplate: {
            hydratedTitleText: 'Bank',
            hydratedContentText: 'Your code is 481516',
            hydratedButtons: [{ index: 0, quickReplyButton: { displayText: 'Not me', id: 'no' } }],
          },
        },
      });
      const content = {
        type: 'text',
        text: 'Bank\nYour code is 481516',
        choices: [{ kind: 'reply', id: 'no', text: 'Not me' }],
      };
      expect(told.data).toMatchObject({ type: 'text', body: content.text, content });
      expect((await record(told)).content).toEqual(content);
      const found = await tenant.call<Page>('GET', `/messages/profile/${profile.profileId}?search=481516`);
      expect(found.body.items.map(({ id }) => id)).toEqual([told.data['id']]);
    }, 600_000);

    it('summarize what has no type of its own', async () => {
      const told = await receive({ eventMessage: { name: 'Party', startTime: 1_798_747_200 } });
      const text = 'Party, 2026-12-31 20:00 UTC';
      const content = {
        type: 'unsupported',
        kind: 'event',
        text,
        about: { name: 'Party', startsAt: '2026-12-31T20:00:00.000Z', cancelled: false },
      };
      expect(told.data).toMatchObject({ type: 'unsupported', body: text, content });
      expect((await record(told)).content).toEqual(content);
    }, 600_000);

    it('start flows: the answer to a button by its text, and the first message from an ad', async () => {
      for (const [value, text] of [
        ['confirm', 'Confirmed'],
        ['saw your ad', 'Welcome'],
      ]) {
        const actions = [{ type: 'send', message: { type: 'text', text } }];
        const flow = {
          profileId: profile.profileId,
          name: value,
          trigger: { type: 'keyword', value: [value] },
          actions,
        };
        expect(await tenant.call('POST', '/automation', flow)).toMatchObject({ status: 201 });
      }
      const answer = await receive({
        buttonsResponseMessage: {
          selectedButtonId: 'c1',
          selectedDisplayText: 'Confirm',
          type: 1,
          contextInfo: { stanzaId: 'QUESTION', quotedMessage: { buttonsMessage: { contentText: 'Confirm?' } } },
        },
      });
      expect(answer.data).toMatchObject({
        body: 'Confirm',
        content: { chosen: { id: 'c1', text: 'Confirm' } },
        quoted: { networkMessageId: 'QUESTION', body: 'Confirm?' },
      });
      const externalAdReply = { sourceType: 'ad', sourceId: '120', title: 'Tea', ctwaClid: 'click' };
      const ad = await receive({
        extendedTextMessage: { text: 'Hello, I saw your ad', contextInfo: { externalAdReply } },
      });
      expect(ad.data['content']).toMatchObject({
        referral: { sourceType: 'ad', sourceId: '120', title: 'Tea', ctwaClid: 'click' },
      });
      const answers = await world.network.waitForMessages(contact, 2, 120_000);
      expect(answers.map(({ text }) => text)).toEqual(['Confirmed', 'Welcome']);
    }, 600_000);

    it('have the media of the higher quality, in the same message', async () => {
      const [small, large] = [randomBytes(1_000), randomBytes(largeBytes - pictureStart.length / 2)].map((rest) =>
        Buffer.concat([Buffer.from(pictureStart, 'hex'), rest]).toString('base64'),
      );
      const write = (base64: string | undefined, replaces?: string) =>
        world.network.sendFromContact(contact, {
          to: profile.phone,
          content: {
            type: 'image',
            caption: 'Harbour',
            media: { base64: base64 ?? '', mimetype: 'image/png' },
            ...(replaces !== undefined && { replaces }),
          },
        });
      const { id } = await write(small);
      const first = await receiver.waitFor(({ data }) => data['networkMessageId'] === id);
      const { id: second } = await write(large, id);
      const { data } = await receiver.waitFor(({ event }) => event === 'message.media');
      const { conversationId, id: messageId } = first.data;
      expect(data).toMatchObject({ messageId, conversationId, media: { mimetype: 'image/png', size: largeBytes } });
      const { url } = data['media'] as { url: string };
      const stored = await eventually(async () => {
        const { content } = await record(first);
        return (content['media'] as { size: number }).size === largeBytes ? content : undefined;
      });
      expect(stored).toMatchObject({ type: 'image', caption: 'Harbour' });
      expect(url).toContain((stored['media'] as { url: string }).url);
      const all = await tenant.call<Page>('GET', `/messages/profile/${profile.profileId}?search=Harbour`);
      expect(all.body.items).toHaveLength(1);
      expect(receiver.deliveries.filter((one) => one.data['networkMessageId'] === second)).toEqual([]);
    }, 600_000);
  });
}
