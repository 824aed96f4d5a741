import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  eventually,
  linkProfile,
  register,
  startDistributed,
  type Distributed,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import { Client } from 'pg';
import type { EncryptedWorld } from './world.ts';

const contact = '4915187654901';

/** All services, with nothing but encrypted connections to their servers. */
export function endToEndSuite(world: () => EncryptedWorld): void {
  let network: Simulator;
  let installation: Distributed;
  let tenant: Tenant;
  let profile: LinkedProfile;
  beforeAll(async () => {
    network = await startSimulator();
    installation = await startDistributed({
      ...world().addresses,
      environment: {
        ...world().environment,
        ENGINE_HOST: 'api',
        DURABLE_SEND: 'true',
        SOCKET_ENGINE_URL: network.url,
        SOCKET_ENGINE_ROOT_KEY: network.rootKey,
        SOCKET_ENGINE_CA_FILE: network.caFile,
        RATE_LIMIT_GLOBAL: 'off',
      },
    });
    const api = { gateway: installation, network };
    tenant = await register(api);
    profile = await linkProfile(api, tenant, '4915112345901');
  }, 600_000);
  afterAll(async () => {
    await installation?.stop();
    await network?.stop();
  }, 600_000);

  it('sends to a contact, and takes in the answer', async () => {
    const { profileId, phone } = profile;
    const sent = await tenant.call('POST', '/messages/text', { profileId, to: contact, text: 'Under seal' });
    expect(sent.status).toBe(202);
    expect((await network.waitForMessages(contact, 1))[0]?.text).toBe('Under seal');
    await network.sendFromContact(contact, { to: phone, text: 'Unbroken' });
    const texts = await eventually(async () => {
      const page = await tenant.call<{ items: { content: { text: string } }[] }>(
        'GET',
        `/messages/profile/${profileId}`,
      );
      const all = page.body.items.map(({ content }) => content.text);
      return all.length === 2 ? all : undefined;
    });
    expect(texts.toSorted()).toEqual(['Unbroken', 'Under seal']);
  }, 600_000);

  it('speaks to the database with TLS only', async () => {
    await register({ gateway: installation, network });
    const client = new Client({ connectionString: world().postgres.url, application_name: 'test' });
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean; names: readonly string[] }>(
      `SELECT ssl, array_agg(DISTINCT application_name) AS names FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE backend_type = 'client backend' AND application_name <> 'test' GROUP BY ssl`,
    );
    await client.end();
    // Of the service that was asked last, and of one that hears of it.
    expect(rows).toEqual([{ ssl: true, names: expect.arrayContaining(['identity', 'webhooks']) }]);
  });

  it('writes no password to its logs, and nothing is warned of', () => {
    expect(installation.logs(100_000)).toContain('Ready');
    expect(installation.logs(100_000)).not.toContain(world().password);
    expect(installation.logs(100_000)).not.toContain('Warning');
  });
}
