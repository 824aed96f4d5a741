import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { moveFileClock } from '@messaging-gateway/runtime';
import { connected, eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** A PNG of one dot. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let world: World;
/** How far the gateway's clock is ahead of the machine's, milliseconds. */
let ahead = 0;
const inFuture = (milliseconds: number): string => new Date(Date.now() + ahead + milliseconds).toISOString();
const moveClock = (milliseconds: number): void => moveFileClock(world.clockFile, (ahead += milliseconds));

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

/** Bulk, scheduled messages and one-time codes, in a world whose clock was moved before. */
export function sentLater(at: () => World): void {
  describe('sending later', () => {
    beforeAll(() => {
      world = at();
      ahead = Number(readFileSync(world.clockFile, 'utf8'));
    });

    it('a batch goes on after a kill -9 in its middle: each message once, in order, with direct sends in between', async () => {
      const contact = '4915187654322';
      const tenant = await register(world);
      const receiver = await startWebhookReceiver('secret of the receiver');
      await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['bulk.completed'] });
      const { profileId } = await linkProfile(world, tenant, '4915112345611', { messageDelayMs: 5 });
      const texts = Array.from({ length: 40 }, (_, index) => `Dear Ada, number ${index}`);
      const messages = texts.map((_, index) => ({
        chatId: contact,
        type: 'text',
        content: { text: 'Dear {name}, number {index}' },
        variables: { name: 'Ada', index: String(index) },
      }));
      const made = await tenant.call<Batch>('POST', '/bulk/send', {
        profileId,
        messages,
        options: { delayBetweenMessages: 250 },
      });
      expect(made.status).toBe(202);
      await world.network.waitForMessages(contact, 10, 120_000);
      await world.gateway.kill();
      await world.restart();
      await connected(tenant, profileId);
      expect(await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Direct' })).toMatchObject({
        status: 200,
      });
      const shown = await world.network.waitForMessages(contact, 41, 120_000);
      const seen = shown.map(({ text }) => text);
      expect(seen.filter((text) => text !== 'Direct')).toEqual(texts);
      expect(seen.at(-1)).not.toBe('Direct');
      const batch = await eventually(async () => {
        const { body } = await tenant.call<Batch>('GET', `/bulk/batch/${made.body.batchId}`);
        return body.status === 'completed' ? body : undefined;
      });
      expect(batch).toMatchObject({ progress: { sent: 40, pending: 0, failed: 0 } });
      await receiver.waitFor(({ event, data }) => event === 'bulk.completed' && data['sent'] === 40);
      await receiver.stop();
    }, 600_000);

    it('a scheduled message that was missed while the gateway was down goes out at its start; the others at their time', async () => {
      const contact = '4915187654323';
      const tenant = await register(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345612', { messageDelayMs: 5 });
      const schedule = async (text: string, after: number): Promise<Scheduled> => {
        const content = { text };
        const body = { profileId, to: contact, type: 'text', content, scheduledAt: inFuture(after) };
        const answer = await tenant.call<Scheduled>('POST', '/messages/schedule', body);
        expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } });
        return answer.body;
      };
      const textsAfter = async (count: number): Promise<unknown[]> =>
        (await world.network.waitForMessages(contact, count, 120_000)).map(({ text }) => text);
      const missed = await schedule('Missed', 120_000);
      const dueAt = Date.now() + ahead + 600_000;
      const inTime = await schedule('In time', 600_000);
      const cancelled = await schedule('Cancelled', 600_000);
      await world.gateway.kill();
      moveClock(120_000);
      await world.restart();
      await textsAfter(1);
      expect(await tenant.call('DELETE', `/messages/schedule/${cancelled.id}`)).toMatchObject({ status: 204 });
      moveClock(dueAt - Date.now() - ahead - 240_000);
      // A request that the clock jumps over would be late at once.
      await eventually(async () => {
        const { body } = await tenant.call<{ updatedAt: string }>('POST', '/contacts', {
          phone: contact,
          name: randomUUID(),
        });
        return Date.parse(body.updatedAt) > Date.now() + ahead - 60_000 ? true : undefined;
      });
      expect(await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Before' })).toMatchObject({
        status: 200,
      });
      expect(await textsAfter(2)).toEqual(['Missed', 'Before']);
      moveClock(240_000);
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

    it('a one-time code in durable mode is answered when the contact has it; media are scheduled and sent in bulk as base64', async () => {
      const contact = '4915187654324';
      await world.gateway.stop();
      await world.restart({ DURABLE_SEND: 'true' });
      const tenant = await register(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345613', { messageDelayMs: 5 });
      const body = { profileId, to: contact, code: '493817', text: 'Take {{code}}' };
      expect(await tenant.call('POST', '/messages/otp', body)).toMatchObject({
        status: 200,
        body: { success: true, data: { channel: 'network', status: 'delivered' } },
      });
      const image = { type: 'image', content: { base64: picture, caption: 'For {name}' } };
      const scheduledAt = inFuture(120_000);
      const scheduled = await tenant.call('POST', '/messages/schedule', {
        profileId,
        to: contact,
        ...image,
        scheduledAt,
      });
      expect(scheduled).toMatchObject({ status: 201, body: { content: { url: expect.any(String) } } });
      moveClock(120_000);
      await world.network.waitForMessages(contact, 2, 120_000);
      const messages = [{ chatId: contact, ...image, variables: { name: 'Ada' } }];
      expect(await tenant.call('POST', '/bulk/send', { profileId, messages })).toMatchObject({ status: 202 });
      const shown = await world.network.waitForMessages(contact, 3, 120_000);
      expect(shown.map(({ content }) => content)).toMatchObject([
        { type: 'text', text: 'Take 493817' },
        { type: 'image', caption: 'For {name}' },
        { type: 'image', caption: 'For Ada' },
      ]);
      const inTime = inFuture(60_000);
      const wrong = { profileId, to: contact, type: 'video', content: { base64: picture }, scheduledAt: inTime };
      expect(await tenant.call('POST', '/messages/schedule', wrong)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body.content.base64' }] } },
      });
    }, 600_000);
  });
}
