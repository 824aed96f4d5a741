import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serviceNames } from '@messaging-gateway/contracts';
import { simulatorControl, type SimulatorControl } from '@messaging-gateway/network-simulator';
import { freePort } from '@messaging-gateway/postgres';
import {
  environmentOf,
  eventually,
  linkProfile,
  register,
  type ApiWorld,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import { Client } from 'pg';
import { isAlive, Started } from '../started.ts';
import type { EncryptedWorld } from './world.ts';

const contact = '4915187654901';

/** All services, each a process of its own, with nothing but encrypted connections to their servers. */
export function installationSuite(world: () => EncryptedWorld): void {
  let started: Started;
  let api: ApiWorld;
  let network: SimulatorControl;
  let tenant: Tenant;
  let profile: LinkedProfile;
  beforeAll(async () => {
    const { addresses, environment, directory } = world();
    started = new Started(
      {
        ...environmentOf({ ...addresses, environment }, directory),
        DATA_DIR: join(directory, 'data'),
        HEALTH_PORT: '0',
        API_PORT: String(await freePort()),
        SIMULATOR_PORT: '0',
        DURABLE_SEND: 'true',
        RATE_LIMIT_GLOBAL: 'off',
      },
      '--simulator',
    );
    await started.ready();
    const phones = await started.says(/phones at (\S+)\/$/);
    network = simulatorControl(phones.replace(/^phones at (\S+)\/$/, '$1'));
    api = { gateway: started, network };
    tenant = await register(api);
    profile = await linkProfile(api, tenant, '4915112345901');
  }, 600_000);
  afterAll(() => started?.stop(), 600_000);

  it('starts every service, and the simulated network', async () => {
    for (const name of serviceNames) await started.says(new RegExp(`^${name} +\\| .*Ready.*pid=\\d+`));
    expect(started.output).toMatch(/^simulator +\| at ws:/m);
  }, 600_000);

  it('sends to a contact, and stores the answer', async () => {
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
    await register(api);
    const client = new Client({ connectionString: world().postgres.url, application_name: 'test' });
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean; names: readonly string[] }>(
      `SELECT ssl, array_agg(DISTINCT application_name) AS names FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE backend_type = 'client backend' AND application_name <> 'test' GROUP BY ssl`,
    );
    await client.end();
    // Of the service that was called last, and of one that consumes its events.
    expect(rows).toEqual([{ ssl: true, names: expect.arrayContaining(['identity', 'webhooks']) }]);
  });

  it('writes no password to its logs, and no warning', () => {
    expect(started.output).toContain('Ready');
    expect(started.output).not.toContain(world().password);
    expect(started.output).not.toContain('Warning');
  });

  it('starts a service again that was killed', async () => {
    process.kill(started.pidOf('inbox'), 'SIGKILL');
    await started.says(/^inbox +\| ended with SIGKILL; starts again in 1 s/);
    await started.says(/^inbox +\| .*Ready/, 2);
    await started.ready();
    expect(started.output).not.toContain(world().password);
  }, 600_000);

  it('stops all services in order', async () => {
    // One Ctrl-C arrives twice: from the terminal and from npm.
    started.signal('SIGINT');
    started.signal('SIGINT');
    expect(await started.ended).toBe(0);
    expect(started.pids.length).toBeGreaterThan(serviceNames.length);
    expect(started.pids.filter(isAlive)).toEqual([]);
  }, 600_000);
}
