import { ownerNames } from '@messaging-gateway/contracts';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { databaseOf } from './embedded.ts';
import { insist } from './insisting.ts';
import { postgresPid, type World } from './world.ts';

/** The network and PostgreSQL go away. Sends are durable. */
export function outages(at: () => World): void {
  describe('an outage', () => {
    let world: World;
    const endings: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const end of endings) await end();
    });
    beforeAll(() => {
      world = at();
    });

    it('the network drops the connection in the middle of a send: it arrives once', async () => {
      const contact = '4915187654325';
      const tenant = await register(world);
      const { profileId, phone } = await linkProfile(world, tenant, '4915112345603');
      for (const [index, when] of (['before-stanza', 'before-ack'] as const).entries()) {
        await connected(tenant, profileId);
        await world.network.drop(phone, when);
        expect(
          (await tenant.call('POST', '/messages/text', { profileId, to: contact, text: `Dropped ${index}` })).status,
        ).toBe(202);
        await world.network.waitForMessages(contact, index + 1);
      }
      await connected(tenant, profileId);
      await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Last' });
      const shown = await world.network.waitForMessages(contact, 3);
      expect(shown.map(({ text }) => text)).toEqual(['Dropped 0', 'Dropped 1', 'Last']);
    }, 600_000);

    it('PostgreSQL is killed under load: what was acknowledged arrives once, the gateway comes back by itself', async () => {
      const contact = '4915187654326';
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
      await insist(tenant, 202, { profileId, to: contact, text: 'Last' });
      const shown = await eventually(async () => {
        const messages = await world.network.messages(contact);
        return messages.some(({ text }) => text === 'Last') ? messages.map(({ text }) => text) : undefined;
      });
      expect(new Set(shown).size).toBe(shown.length);
      expect(shown.filter((text) => acknowledged.includes(text))).toEqual(acknowledged);
    }, 600_000);

    it('PostgreSQL takes no writes, as after a failover: sends are answered 503, what comes in waits, nothing is given up', async () => {
      const contact = '4915187654327';
      const tenant = await register(world);
      const { profileId, phone } = await linkProfile(world, tenant, '4915112345605');
      const receiver = await startWebhookReceiver('secret of an outage');
      await tenant.call('POST', '/webhooks', {
        url: receiver.url,
        secret: 'secret of an outage',
        events: ['message.received'],
      });
      const database = databaseOf(join(world.directory, 'data'));
      const answers: (readonly [number, boolean])[] = [];
      // As it was begun before, it may write.
      const admin = await database.connect();
      endings.push(async () => {
        admin.release();
        await database.end();
        await receiver.stop();
      });
      try {
        await admin.query('ALTER DATABASE gateway SET default_transaction_read_only = ON');
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gateway' AND pid <> pg_backend_pid()`,
        );
        await world.network.sendFromContact(contact, { to: phone, text: 'Meanwhile' });
        for (let index = 0; index < 8; index += 1) {
          const body = { profileId, to: contact, text: `Refused ${index}` };
          const { status, headers } = await tenant.call('POST', '/messages/text', body);
          answers.push([status, Number(headers.get('retry-after')) > 0]);
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      } finally {
        await admin.query('ALTER DATABASE gateway RESET default_transaction_read_only');
      }
      expect(answers).toEqual(answers.map(() => [503, true]));
      await insist(tenant, 202, { profileId, to: contact, text: 'Written' });
      const shown = await world.network.waitForMessages(contact, 1);
      expect(shown.map(({ text }) => text)).toEqual(['Written']);
      await receiver.waitFor(({ data }) => data['body'] === 'Meanwhile');
      for (const schema of ownerNames) {
        const { rows } = await admin.query(`SELECT name, reason FROM ${schema}.dead_letters`);
        expect([schema, rows]).toEqual([schema, []]);
      }
    }, 600_000);
  });
}
