import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant } from '@messaging-gateway/testing';
import { broadcastHalfWay } from './half-way.ts';
import { insist } from './insisting.ts';
import { postgresPid, type World } from './world.ts';

const contact = '4915187654321';

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly complaint: string;
}

/** Programs that are no verb of the command line. */
const programs: Readonly<Record<string, string>> = { main: '../src/main.ts', start: '../../../tools/start.ts' };

/** Runs a program, or a verb of the command line, to its end. */
const run = (name: string, environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> =>
  runIn(process.cwd(), name, environment, ...args);

/** @param cwd the folder in which it is started */
function runIn(
  cwd: string,
  name: string,
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Ended> {
  const program = programs[name];
  const file = fileURLToPath(new URL(program ?? '../src/operator/main.ts', import.meta.url));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, ...(program === undefined ? [name] : []), ...args],
      { cwd, env: { PATH: process.env['PATH'] ?? '', ...environment } },
      (error, output, complaint) => resolve({ code: Number(error?.code ?? 0), output, complaint }),
    );
  });
}

/**
 * Starts, ends, commands of the operator, a backup and its restore. The gateway was started with
 * `WEBHOOK_ALOW_PRIVATE_TARGETS`, which is no variable of its.
 */
export function runningIt(at: () => World): void {
  describe('running it', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    const data = (): string => world.dataDirectory;
    const ready = () =>
      eventually(async () => {
        const { body } = await world.gateway.call<{ checks: { database: string } }>('GET', '/health/ready');
        return body.checks.database === 'up' ? true : undefined;
      });

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345701');
      await tenant.call('POST', '/messages/text', { profileId: profile.profileId, to: contact, text: 'Before' });
      await world.network.waitForMessages(contact, 1);
    }, 600_000);

    it('says whose port it is that the simulated network cannot have', async () => {
      const taken = new URL(world.network.control).port;
      const ended = await run(
        'start',
        { DATA_DIR: join(world.directory, 'other'), SIMULATOR_PORT: taken },
        '--simulator',
      );
      expect(ended).toMatchObject({ code: 1, complaint: `SIMULATOR_PORT ${taken} is used by another program.\n` });
    });

    it('says first what it is, what it goes by, and which variable nobody reads', () => {
      expect(world.gateway.output()).toMatch(
        /Starting version=\S+ node=v24\S+ mode=standalone brokers=none database=embedded environment=test registration=open trustProxy=0/,
      );
      expect(world.gateway.output()).toContain('perhaps WEBHOOK_ALLOW_PRIVATE_TARGETS is meant');
      expect(world.gateway.output()).toMatch(/WARN .*Anybody who reaches the API can register: .*REGISTRATION=closed/);
      expect(world.gateway.output()).not.toContain('.env is for Docker Compose');
    });

    it('a second start on the same data says so in one line', async () => {
      const second = await run('main', { DATA_DIR: data(), API_PORT: '0' });
      expect(second.code).not.toBe(0);
      expect(second.complaint.trim().split('\n')).toEqual([
        expect.stringContaining(`Another gateway already runs on ${data()}: `),
      ]);
      await ready();
    }, 600_000);

    it('faults of the configuration are named all at once', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-faults-'));
      const faulty = await run('main', {
        DATA_DIR: folder,
        JWT_SECRET: 'short',
        JWT_REFRESH_SECRET: 'short',
        ENCRYPTION_KEY: 'short',
        DURABLE_SEND: 'maybe',
        RATE_LIMIT_SHORT: '5',
      });
      rmSync(folder, { recursive: true });
      expect(faulty.code).not.toBe(0);
      for (const name of ['JWT_SECRET', 'JWT_REFRESH_SECRET', 'ENCRYPTION_KEY', 'DURABLE_SEND', 'RATE_LIMIT_SHORT'])
        expect(faulty.complaint).toContain(name);
      expect(faulty.complaint).not.toContain('    at ');
    }, 600_000);

    it('a busy port is one clear line, and so is a file .env that is not read', async () => {
      const busy = createServer();
      await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
      const { port } = busy.address() as AddressInfo;
      const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-busy-'));
      writeFileSync(join(folder, '.env'), `API_PORT=${port + 1}\n`);
      const place = { DATA_DIR: join(folder, 'data'), API_HOST: '127.0.0.1', API_PORT: String(port) };
      const refused = await runIn(folder, 'main', place);
      busy.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      expect(refused.output.match(/\.env is for Docker Compose and not read here/g)).toHaveLength(1);
      expect(refused.code).not.toBe(0);
      expect(refused.complaint.trim().split('\n')).toEqual([expect.stringContaining(String(port))]);
    }, 600_000);

    it('comes back after PostgreSQL was killed', async () => {
      process.kill(postgresPid(world), 'SIGKILL');
      await ready();
      const sent = await insist(tenant, 200, { profileId: profile.profileId, to: contact, text: 'After' });
      expect(sent.body).toMatchObject({ success: true });
    }, 600_000);

    it('views are rebuilt from the journals while it runs', async () => {
      const list = () => tenant.call<{ items: object[] }>('GET', `/messages/profile/${profile.profileId}`);
      const before = await eventually(async () => {
        const answer = await tenant.call<{ items: { status: string }[] }>(
          'GET',
          `/messages/profile/${profile.profileId}`,
        );
        return answer.body.items.every(({ status }) => status === 'delivered') ? answer : undefined;
      });
      for (const service of ['identity', 'sessions', 'outbound', 'inbox', 'webhooks']) {
        const rebuilt = await run('views', { DATA_DIR: data() }, service);
        expect([service, rebuilt.code, rebuilt.complaint]).toEqual([service, 0, '']);
      }
      expect((await list()).body).toEqual(before.body);
      const counted = await run('views', { DATA_DIR: data() }, 'insights');
      expect([counted.code, counted.output]).toEqual([0, expect.stringMatching(/^Rebuilt message_quarters, /)]);
      const wrong = await run('views', { DATA_DIR: data() }, 'nobody');
      expect([wrong.code, wrong.complaint]).toEqual([1, expect.stringContaining('identity')]);
    }, 600_000);

    it('has one command line, which tells failures from what it does not understand, and answers machines', async () => {
      const verbs = [
        'start',
        'backup',
        'restore',
        'migrate',
        'views',
        'dead-letters',
        'user',
        'tenants',
        'profiles',
        'topics',
      ];
      const help = await run('--help', {});
      expect([help.code, help.complaint]).toEqual([0, '']);
      for (const verb of verbs) expect(help.output).toContain(`\n  ${verb} `);
      const one = await run('backup', {}, '--help');
      expect([one.code, one.output]).toEqual([0, expect.stringContaining('Usage: messaging-gateway backup <file>')]);
      const lines = [
        ['nonsense'],
        ['backup'],
        ['backup', 'a', '--nonsense'],
        ['user', 'x'],
        ['tenants', 'show', 'x'],
      ].map(async ([verb = '', ...args]) => {
        const { code, output, complaint } = await run(verb, { DATA_DIR: data() }, ...args);
        return [verb, code, output, complaint];
      });
      const wrong = [expect.any(String), 2, '', expect.stringMatching(/^[^\n]+\n$/)];
      expect(await Promise.all(lines)).toEqual(lines.map(() => wrong));
    }, 600_000);

    it('ends in order while much waits, which is answered', async () => {
      const { profileId } = await linkProfile(world, tenant, '4915112345703', { messageDelayMs: 60_000 });
      const text = { profileId, to: '4915187654322', text: 'Now' };
      expect((await tenant.call('POST', '/messages/text', text)).status).toBe(200);
      const { host } = world.gateway;
      const silent = connect(Number(new URL(host).port), '127.0.0.1');
      await once(silent, 'connect');
      const headers = { authorization: `Bearer ${tenant.token}`, accept: 'text/event-stream' };
      const stream = await fetch(`${host}/api/v1/events?after=latest`, { headers });
      const other = (await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Nobody links it' })).body.id;
      const waiting = [
        tenant.call('GET', `/profiles/${profileId}/status?wait=60&until=failed`),
        tenant.call('GET', `/profiles/${other}/status?wait=60`),
        (await register(world)).call('GET', '/events?after=latest&wait=30'),
      ];
      const turn = tenant.call<{ error: { code: string } }>('POST', '/messages/text', text);
      await eventually(async () => {
        const { body } = await tenant.call<{ items: { status: string }[] }>('GET', `/messages/profile/${profileId}`);
        return body.items.some(({ status }) => status === 'queued') ? true : undefined;
      });
      expect(await world.gateway.stop()).toBe(0);
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503]);
      expect([(await turn).status, (await turn).body.error.code]).toEqual([504, 'ENGINE_TIMEOUT']);
      expect(await stream.text()).toMatch(/^retry:/);
      silent.destroy();
      await world.restart();
      for (const id of [profile.profileId, profileId]) await connected(tenant, id);
    }, 600_000);

    it('lists organizations and profiles for the operator, without numbers, and takes a profile off the network', async () => {
      const json = async (...[verb, ...args]: [string, ...string[]]): Promise<unknown> => {
        const done = await run(verb, { DATA_DIR: data() }, ...args, '--json');
        expect([done.code, done.complaint]).toEqual([0, '']);
        return JSON.parse(done.output);
      };
      const { profileId, phone } = await linkProfile(world, tenant, '4915112345702');
      const { organizationId } = (await tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
      const one = ((await json('tenants', 'list')) as { id: string }[]).find(({ id }) => id === organizationId);
      expect(one).toMatchObject({ users: 1, profiles: 4, connected: 3 });
      expect(await json('tenants', 'show', organizationId)).toMatchObject({ byStatus: { connected: 3 } });
      const shown = await json('profiles', 'list', '--organization', organizationId);
      expect(shown).toContainEqual(expect.objectContaining({ id: profileId, status: 'connected', wanted: true }));
      expect(JSON.stringify(shown)).not.toContain(phone);
      expect(await json('profiles', 'disconnect', profileId)).toEqual({ id: profileId, changed: true });
      expect(await json('profiles', 'disconnect', profileId)).toEqual({ id: profileId, changed: false });
      const status = (await tenant.call('GET', `/profiles/${profileId}/status`)).body['status'];
      expect(status).toBe('disconnected');
      await eventually(async () => {
        world.moveClock(60_000);
        const { devices } = await world.network.phone(phone);
        return devices.every(({ connected: isThere }) => !isThere) ? true : undefined;
      });
    }, 600_000);

    it('is backed up while it runs and restored into another cluster, where everything goes on', async () => {
      const file = join(world.directory, 'running.backup');
      const done = await run('backup', { DATA_DIR: data() }, file);
      expect([done.code, done.complaint]).toEqual([0, '']);
      const again = await run('backup', { DATA_DIR: data() }, file);
      expect([again.code, again.complaint]).toEqual([1, expect.stringMatching(/is there already.* --force\.\n$/)]);
      const broadcast = await broadcastHalfWay(world, tenant, '4915112345704');
      const forced = await run('backup', { DATA_DIR: data() }, file, '--force', '--json');
      expect([forced.code, JSON.parse(forced.output)]).toEqual([0, { file, rows: expect.any(Number) }]);
      const before = await tenant.call<{ items: object[] }>('GET', `/messages/profile/${profile.profileId}`);
      await broadcast.goOn();
      await world.gateway.stop();

      const secrets = join(data(), 'secrets.json');
      renameSync(secrets, `${secrets}.away`);
      const lost = await run('main', { DATA_DIR: data(), API_PORT: '0' });
      expect([lost.code, lost.complaint]).toEqual([1, expect.stringMatching(/secrets\.json is not there.*\n$/)]);
      renameSync(`${secrets}.away`, secrets);
      const strange = { DATA_DIR: data(), API_PORT: '0', ENCRYPTION_KEY: randomBytes(16).toString('hex') };
      const refused = await run('main', strange);
      expect(refused.output).not.toContain('Ready');
      expect([refused.code, refused.complaint]).toEqual([
        1,
        expect.stringMatching(/^The data are sealed with another ENCRYPTION_KEY.*\n$/),
      ]);

      const moved = join(world.directory, 'moved-while-running');
      const early = await run('restore', { DATA_DIR: moved }, file);
      expect([early.code, early.complaint]).toEqual([1, expect.stringContaining(join(moved, 'secrets.json'))]);
      expect(existsSync(moved)).toBe(false);
      const missing = await run('restore', { DATA_DIR: moved }, join(world.directory, 'none'));
      expect([missing.code, missing.complaint]).toEqual([1, expect.stringMatching(/There is no file .*none\.\n$/)]);
      const kept = { DATA_DIR: moved, SESSIONS_DIR: world.sessionsDirectory };
      mkdirSync(moved);
      writeFileSync(join(moved, 'secrets.json'), JSON.stringify({ encryptionKey: randomBytes(16).toString('hex') }));
      const wrong = await run('restore', kept, file);
      expect([wrong.code, wrong.complaint]).toEqual([1, expect.stringContaining('another ENCRYPTION_KEY')]);
      expect(existsSync(join(moved, 'postgres'))).toBe(false);
      copyFileSync(join(data(), 'secrets.json'), join(moved, 'secrets.json'));
      const restored = await run('restore', kept, file);
      expect([restored.code, restored.complaint]).toEqual([0, '']);
      await world.restart(kept);
      await connected(tenant, profile.profileId);
      expect((await tenant.call('GET', `/messages/profile/${profile.profileId}`)).body).toEqual(before.body);
      await insist(tenant, 200, { profileId: profile.profileId, to: contact, text: 'Moved' });
      const shown = await world.network.waitForMessages(contact, 3);
      expect(shown.at(-1)?.text).toBe('Moved');
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Welcome' });
      await eventually(async () => {
        const page = await tenant.call<{ items: { content: { text: string } }[] }>(
          'GET',
          `/messages/profile/${profile.profileId}`,
        );
        return page.body.items.some(({ content }) => content.text === 'Welcome') ? true : undefined;
      });
      await broadcast.expectOnceEach();
    }, 600_000);
  });
}
