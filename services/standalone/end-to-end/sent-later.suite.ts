import { beforeAll, describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { jumpSeen } from './clock-jumps.ts';
import type { World } from './world.ts';

/** A PNG of one dot. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const minute = 60_000;
const inFuture = ({ now }: World, milliseconds: number): string => new Date(now() + milliseconds).toISOString();

interface Scheduled {
  readonly id: string;
  readonly status: string;
  readonly late: boolean;
}
interface Batch {
  readonly batchId: string;
  readonly status: string;
  readonly progress: Record<'sent' | 'pending' | 'failed', number>;
}

/** Bulk and scheduled messages. */
export function sentLater(at: () => World): void {
  describe('sending later', () => {
    let world: World;
    beforeAll(() => {
      world = at();
    });

    it('a batch goes on after a kill -9 in its middle: each message once, in order, with direct sends in between', async () => {
      const contact = '4915187654322';
      const tenant = await register(world);
      const receiver = await startWebhookReceiver('secret of the receiver');
      await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['bulk.completed'] });
      const { profileId } = await linkProfile(world, tenant, '4915112345611', { messageDelayMs: 5 });
      const texts = Array.from({ length: 20 }, (_, index) => `Dear Ada, number ${index}`);
      const messages = texts.map((_, index) => ({
        chatId: contact,
        type: 'text',
        content: { text: 'Dear {name}, number {index}' },
        variables: { name: 'Ada', index: String(index) },
      }));
      const made = await tenant.call<Batch>('POST', '/bulk/send', {
        profileId,
        messages,
        options: { delayBetweenMessages: minute },
      });
      expect(made.status).toBe(202);
      const sent = (count: number) =>
        eventually(async () => {
          const { body } = await tenant.call<Batch>('GET', `/bulk/batch/${made.body.batchId}`);
          return body.progress?.sent >= count ? body : undefined;
        });
      /** Lets the next messages go, one after the other: each is due a minute after the one before was sent. */
      const letGo = async (from: number, to: number): Promise<void> => {
        for (let count = from; count < to; count += 1) {
          await sent(count);
          world.moveClock(minute);
        }
      };
      // The kill comes while the eleventh message is due.
      await letGo(1, 11);
      await world.gateway.kill();
      await world.restart();
      await connected(tenant, profileId);
      expect(await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Direct' })).toMatchObject({
        status: 200,
      });
      await letGo(11, texts.length);
      const shown = await world.network.waitForMessages(contact, texts.length + 1);
      const seen = shown.map(({ text }) => text);
      expect(seen.filter((text) => text !== 'Direct')).toEqual(texts);
      expect(seen.at(-1)).not.toBe('Direct');
      const batch = await eventually(async () => {
        const { body } = await tenant.call<Batch>('GET', `/bulk/batch/${made.body.batchId}`);
        return body.status === 'completed' ? body : undefined;
      });
      expect(batch).toMatchObject({ progress: { sent: texts.length, pending: 0, failed: 0 } });
      await receiver.waitFor(({ event, data }) => event === 'bulk.completed' && data['sent'] === texts.length);
      await receiver.stop();
    }, 600_000);

    it('a scheduled message that was missed while the gateway was down goes out at its start; the others at their time', async () => {
      const contact = '4915187654323';
      const tenant = await register(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345612', { messageDelayMs: 5 });
      const schedule = async (text: string, after: number): Promise<Scheduled> => {
        const content = { text };
        const body = { profileId, to: contact, type: 'text', content, scheduledAt: inFuture(world, after) };
        const answer = await tenant.call<Scheduled>('POST', '/messages/schedule', body);
        expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } });
        return answer.body;
      };
      const textsAfter = async (count: number): Promise<unknown[]> =>
        (await world.network.waitForMessages(contact, count)).map(({ text }) => text);
      const missed = await schedule('Missed', 120_000);
      const dueAt = world.now() + 600_000;
      const inTime = await schedule('In time', 600_000);
      const cancelled = await schedule('Cancelled', 600_000);
      await world.gateway.kill();
      world.moveClock(120_000);
      await world.restart();
      await textsAfter(1);
      expect(await tenant.call('DELETE', `/messages/schedule/${cancelled.id}`)).toMatchObject({ status: 204 });
      world.moveClock(dueAt - world.now() - 240_000);
      await jumpSeen(world, tenant);
      expect(await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Before' })).toMatchObject({
        status: 200,
      });
      expect(await textsAfter(2)).toEqual(['Missed', 'Before']);
      world.moveClock(240_000);
      expect(await textsAfter(3)).toEqual(['Missed', 'Before', 'In time']);
      const items = await eventually(async () => {
        const { body } = await tenant.call<{ items: Scheduled[] }>('GET', `/messages/schedule/${profileId}`);
        return body.items.every(({ status }) => status !== 'pending') ? body.items : undefined;
      });
      expect(Object.fromEntries(items.map(({ id, status, late }) => [id, [status, late]]))).toEqual({
        [missed.id]: ['sent', true],
        [inTime.id]: ['sent', expect.any(Boolean)],
        [cancelled.id]: ['cancelled', false],
      });
      expect(await tenant.call('DELETE', `/messages/schedule/${missed.id}`)).toMatchObject({ status: 409 });
    }, 600_000);
  });
}

/** One-time codes, and media that are sent later. Sends are durable. */
export function durablySentLater(at: () => World): void {
  describe('sending later, durably', () => {
    it('a one-time code in durable mode is answered when the contact has it; media are scheduled and sent in bulk as base64', async () => {
      const world = at();
      const contact = '4915187654328';
      const tenant = await register(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345613', { messageDelayMs: 5 });
      const body = { profileId, to: contact, code: '493817', text: 'Take {{code}}' };
      expect(await tenant.call('POST', '/messages/otp', body)).toMatchObject({
        status: 200,
        body: { success: true, data: { channel: 'network', status: 'delivered' } },
      });
      const image = { type: 'image', content: { base64: picture, caption: 'For {name}' } };
      const scheduledAt = inFuture(world, 120_000);
      const scheduled = await tenant.call('POST', '/messages/schedule', {
        profileId,
        to: contact,
        ...image,
        scheduledAt,
      });
      expect(scheduled).toMatchObject({ status: 201, body: { content: { url: expect.any(String) } } });
      world.moveClock(120_000);
      await world.network.waitForMessages(contact, 2);
      const messages = [{ chatId: contact, ...image, variables: { name: 'Ada' } }];
      expect(await tenant.call('POST', '/bulk/send', { profileId, messages })).toMatchObject({ status: 202 });
      const shown = await world.network.waitForMessages(contact, 3);
      expect(shown.map(({ content }) => content)).toMatchObject([
        { type: 'text', text: 'Take 493817' },
        { type: 'image', caption: 'For {name}' },
        { type: 'image', caption: 'For Ada' },
      ]);
      const inTime = inFuture(world, 60_000);
      const wrong = { profileId, to: contact, type: 'video', content: { base64: picture }, scheduledAt: inTime };
      expect(await tenant.call('POST', '/messages/schedule', wrong)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body.content.base64' }] } },
      });
    }, 600_000);
  });
}
