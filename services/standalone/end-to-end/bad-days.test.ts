import { afterEach, describe, expect, it } from '@jest/globals';
import { moveFileClock } from '@messaging-gateway/runtime';
import { startWebhookReceiver } from '@messaging-gateway/testing';
import { connected, eventually, linkProfile, postgresPid, register, startWorld } from './world.ts';
import type { World } from './world.ts';

const contact = '4915187654321';
let world: World;

afterEach(() => world.end());

describe('a bad day', () => {
  it('kill -9 with 200 durable sends queued: all arrive once each, in order', async () => {
    world = await startWorld({ DURABLE_SEND: 'true' });
    const tenant = await register(world);
    const { profileId } = await linkProfile(world, tenant, '4915112345601', { messageDelayMs: 5 });
    const texts = Array.from({ length: 200 }, (_, index) => `Number ${index}`);
    for (const text of texts) {
      const answer = await tenant.call('POST', '/messages/text', { profileId, to: contact, text });
      expect(answer.status).toBe(202);
    }
    await world.gateway.kill();
    await world.restart();
    const shown = await world.network.waitForMessages(contact, 200, 60_000);
    expect(shown.map(({ text }) => text)).toEqual(texts);
  }, 180_000);

  it('50 concurrent sends against a daily limit of 20: exactly 20 arrive, 30 are refused', async () => {
    world = await startWorld();
    const tenant = await register(world);
    const { profileId } = await linkProfile(world, tenant, '4915112345602', { dailyMessageLimit: 20 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        tenant.call('POST', '/messages/text', { profileId, to: contact, text: `Number ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { body } of refused) {
      expect(body).toEqual({
        error: 'DAILY_LIMIT_REACHED',
        limit: 20,
        count: 20,
        resetAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00(\.000)?\+07:00$/),
      });
    }
    const shown = await world.network.waitForMessages(contact, 20);
    expect(shown).toHaveLength(20);
  }, 120_000);

  it('the network drops the connection in the middle of a send: it arrives once', async () => {
    world = await startWorld({ DURABLE_SEND: 'true' });
    const tenant = await register(world);
    const { profileId, phone } = await linkProfile(world, tenant, '4915112345603');
    for (const [index, when] of (['before-stanza', 'before-ack'] as const).entries()) {
      await connected(tenant, profileId);
      await world.network.drop(phone, when);
      expect(
        (await tenant.call('POST', '/messages/text', { profileId, to: contact, text: `Dropped ${index}` })).status,
      ).toBe(202);
      await world.network.waitForMessages(contact, index + 1, 60_000);
    }
    await connected(tenant, profileId);
    await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Last' });
    const shown = await world.network.waitForMessages(contact, 3, 60_000);
    expect(shown.map(({ text }) => text)).toEqual(['Dropped 0', 'Dropped 1', 'Last']);
  }, 180_000);

  it('PostgreSQL is killed under load: what was acknowledged arrives once, the gateway comes back by itself', async () => {
    world = await startWorld({ DURABLE_SEND: 'true' });
    const tenant = await register(world);
    const { profileId } = await linkProfile(world, tenant, '4915112345604');
    const acknowledged: string[] = [];
    let killed = false;
    for (let index = 0; index < 120; index += 1) {
      if (index === 40) process.kill(postgresPid(world), 'SIGKILL');
      killed ||= index >= 40;
      const text = `Number ${index}`;
      const answer = await tenant
        .call('POST', '/messages/text', { profileId, to: contact, text })
        .catch(() => undefined);
      if (answer?.status === 202) acknowledged.push(text);
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await eventually(async () => {
      const answer = await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Last' });
      return answer.status === 202 ? true : undefined;
    });
    const shown = await eventually(async () => {
      const messages = await world.network.messages(contact);
      return messages.some(({ text }) => text === 'Last') ? messages.map(({ text }) => text) : undefined;
    }, 60_000);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.filter((text) => acknowledged.includes(text))).toEqual(acknowledged);
  }, 180_000);

  it('a webhook receiver is down for an hour: its deliveries end failed and are replayed; others notice nothing', async () => {
    world = await startWorld({ WEBHOOK_RETRY_ATTEMPTS: '3', WEBHOOK_RETRY_DELAY_MS: '60000' });
    const tenant = await register(world);
    const [down, up] = [await startWebhookReceiver('secret of one'), await startWebhookReceiver('secret of other')];
    const made = await tenant.call<{ id: string }>('POST', '/webhooks', {
      url: down.url,
      secret: 'secret of one',
      events: ['message.received'],
    });
    await tenant.call('POST', '/webhooks', { url: up.url, secret: 'secret of other', events: ['message.received'] });
    const { phone } = await linkProfile(world, tenant, '4915112345605');
    down.answerWith(503);
    const since = new Date().toISOString();
    await world.network.sendFromContact(contact, { to: phone, text: 'Are you there?' });
    await up.waitFor(({ data }) => data['body'] === 'Are you there?');
    const deliveries = `/webhooks/${made.body.id}/deliveries`;
    for (let minutes = 10; minutes <= 60; minutes += 10) {
      moveFileClock(world.clockFile, minutes * 60_000);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await eventually(async () => {
      const answer = await tenant.call<{ items: { status: string }[] }>('GET', deliveries);
      return answer.body.items?.some(({ status }) => status === 'failed') ? true : undefined;
    });
    down.answerWith(200);
    const replay = await tenant.call('POST', `/webhooks/${made.body.id}/replay`, { since });
    expect(replay.status).toBeLessThan(300);
    const told = await down.waitFor(({ data }) => data['body'] === 'Are you there?');
    const first = await up.waitFor(({ data }) => data['body'] === 'Are you there?');
    expect(told.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await Promise.all([down.stop(), up.stop()]);
  }, 180_000);

  it('kill -9 while messages come in: each is stored and told once, and the next ones are decrypted', async () => {
    world = await startWorld();
    const tenant = await register(world);
    const receiver = await startWebhookReceiver('secret of the receiver');
    await tenant.call('POST', '/webhooks', {
      url: receiver.url,
      secret: 'secret of the receiver',
      events: ['message.received'],
    });
    const { profileId, phone } = await linkProfile(world, tenant, '4915112345606');
    const texts = Array.from({ length: 60 }, (_, index) => `Inbound ${index}`);
    const writing = (async () => {
      for (const text of texts) {
        await world.network.sendFromContact(contact, { to: phone, text });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await receiver.waitFor(({ data }) => data['body'] === 'Inbound 10');
    await world.gateway.kill();
    await writing;
    await world.restart();
    await connected(tenant, profileId);
    await receiver.waitFor(({ data }) => data['body'] === 'Inbound 59', 60_000);
    const stored = await eventually(async () => {
      const page = await tenant.call<{ items: { content: { text: string } }[] }>(
        'GET',
        `/messages/profile/${profileId}?limit=200`,
      );
      return page.body.items.length >= 60 ? page.body.items.map(({ content }) => content.text) : undefined;
    });
    expect(stored.toSorted()).toEqual(texts.toSorted());
    const told = new Map(receiver.deliveries.map(({ headers, data }) => [headers['webhook-id'], data['body']]));
    expect([...told.values()].map(String).toSorted()).toEqual(texts.toSorted());
    await receiver.stop();
  }, 180_000);
});
