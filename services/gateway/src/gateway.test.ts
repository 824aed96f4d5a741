import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SettingsFault, memoryCache, readSettings, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { noMedia } from '@messaging-gateway/media/testing';
import { inProcessOperationBus, Refused } from '@messaging-gateway/messaging';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { createGateway, gatewaySettings } from './index.ts';
import { inTime } from './testing/in-time.ts';
import { accessSecret, call, refreshSecret, startTestGateway, type TestGateway } from './testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway | undefined;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});
afterAll(() => database.drop());

const start = async (environment: Record<string, string> = {}): Promise<TestGateway> =>
  (gateway = await startTestGateway({ databaseUrl: database.url, environment }));

describe('health', () => {
  it('is alive at once, and ready when everything is there', async () => {
    const here = await start();
    here.state.database = false;
    expect((await call(here, 'GET', '/health')).body).toEqual({
      status: 'ok',
      version: '1.0.0',
      uptime: expect.any(Number),
    });
    const checks = { database: 'up', broker: 'up', cache: 'up', services: 'up' };
    const state = async () => {
      const { status, body } = await call(here, 'GET', '/health/ready');
      return [status, body];
    };
    const away = { checks: { ...checks, database: 'down' }, engine: 'socket-engine' };
    expect(await state()).toEqual([503, { status: 'unavailable', ...away }]);
    here.state.database = true;
    expect(await state()).toEqual([200, { status: 'ready', checks, engine: 'socket-engine' }]);
    here.state.database = false;
    expect(await state()).toEqual([200, { status: 'ready', ...away }]);
  });
});

describe('the interactive documentation', () => {
  it('is 404 until the API has started, and stays afterwards', async () => {
    const here = await start();
    here.state.services = false;
    for (const path of ['//api/docs', '//api/docs/', '//api/docs-json', '//api/docs/swagger-ui.css'])
      expect([path, (await call(here, 'GET', path)).status]).toEqual([path, 404]);
    here.state.services = true;
    const document = await call(here, 'GET', '//api/docs-json');
    expect([document.status, document.body['openapi']]).toEqual([200, '3.1.0']);
    here.state.services = false;
    const page = await call(here, 'GET', '//api/docs/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await call(here, 'GET', '//api/docs')).status).toBe(200);
  });

  it('loads under the content security policy: its scripts are files of the same origin', async () => {
    const here = await start();
    const page = await call(here, 'GET', '//api/docs/');
    const policy = page.headers.get('content-security-policy') ?? '';
    const sources = [...page.text.matchAll(/<script src="([^"]+)"/g)].map((match) => match[1]);
    expect(policy).toContain("script-src 'self'");
    expect(sources.length).toBeGreaterThan(0);
    expect(page.text.match(/<script/g)).toHaveLength(sources.length);
    for (const source of sources) {
      const script = await call(here, 'GET', `/${source}`);
      expect([source, script.status, script.headers.get('content-type')]).toEqual([
        source,
        200,
        expect.stringContaining('javascript'),
      ]);
    }
    expect((await call(here, 'GET', '//api/docs/swagger-ui-init.js')).text).toContain('/api/docs-json');
  });
});

describe('documents for machines', () => {
  /** `fetch` would ask for a copy that nobody kept. */
  const revalidating = { 'cache-control': 'max-age=0' };

  it.each(['//api/docs-json', '//api/asyncapi.json', '//api/docs'])(
    '%s is compressed for who takes that, and sent once',
    async (path) => {
      const here = await start();
      const whole = await call(here, 'GET', path, { headers: { 'accept-encoding': 'identity' } });
      expect(whole.headers.get('content-encoding')).toBeNull();
      const small = await call(here, 'GET', path, { headers: { 'accept-encoding': 'gzip' } });
      expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual([
        'gzip',
        expect.stringContaining('Accept-Encoding'),
      ]);
      expect(small.text).toBe(whole.text);
      const tag = small.headers.get('etag') ?? '';
      expect(whole.headers.get('etag')).toBe(tag);
      const again = await call(here, 'GET', path, { headers: { 'if-none-match': tag, ...revalidating } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      expect((await call(here, 'GET', path, { headers: { 'if-none-match': '"other"', ...revalidating } })).status).toBe(
        200,
      );
    },
  );

  it('are smaller than 850 KB, and the page keeps who is logged in and finds groups', async () => {
    const here = await start();
    expect(Buffer.byteLength((await call(here, 'GET', '//api/docs-json')).text)).toBeLessThan(850_000);
    const script = await call(here, 'GET', '//api/docs/swagger-ui-init.js');
    expect(script.text).toMatch(/"persistAuthorization": true[^}]*"filter": true[^}]*"docExpansion": "none"/);
  });

  it('and answers are compressed only where their contract says so', async () => {
    const here = await start();
    const { token } = here.identity.signIn(here.clock, { permissions: ['profile:read'] });
    const item = { id: '0198c0de-0000-7000-8000-000000000001', name: 'x'.repeat(4096), repeated: false };
    await here.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: ['x'.repeat(4096)] } }));
    await here.own('GetThing', async () => ({ status: 200, body: item }));
    const encodingOf = async (path: string): Promise<(string | number | null)[]> => {
      const answer = await call(here, 'GET', path, { token, headers: { 'accept-encoding': 'gzip' } });
      return [answer.status, answer.headers.get('content-encoding')];
    };
    expect(await encodingOf('/things')).toEqual([200, 'gzip']);
    expect(await encodingOf(`/things/${item.id}`)).toEqual([200, null]);
  });
});

describe('the way in', () => {
  it('shows what there is at / and at the base of the API: a page to browsers, links to others', async () => {
    const here = await start();
    const browser = await call(here, 'GET', '//', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(browser.text).not.toMatch(/<script| style=| on\w+=/); // the policy would refuse them
    const { text } = await call(here, 'GET', '//');
    const links = Object.values((JSON.parse(text) as { links: Record<string, string> }).links);
    for (const link of links.filter((one) => !one.endsWith('/register'))) {
      expect(link.startsWith(here.url)).toBe(true);
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
      expect(browser.text).toContain(link);
    }
    const relative = await call(here, 'GET', '');
    expect([relative.status, relative.body]).toMatchObject([200, { links: { documentation: '/api/docs' } }]);
  });

  it('is absolute by PUBLIC_URL, whatever host was asked', async () => {
    const here = await start({ PUBLIC_URL: 'https://gateway.example.com/' });
    for (const path of ['//', ''])
      expect((await call(here, 'GET', path)).body).toMatchObject({
        links: { asyncapi: 'https://gateway.example.com/api/asyncapi.json' },
      });
  });
});

describe('reading one’s writes', () => {
  it('tells reads and writes of the same organization what was raised in the last two seconds', async () => {
    const here = await start();
    const raised = [{ id: 'event-1', type: 'thing.created' }];
    const written = await here.own('CreateThing', async ({ resourceId }) => ({
      status: 201,
      body: { id: resourceId, name: 'one', repeated: false },
      raised,
    }));
    await here.own('ListThings', async ({ query, after = [] }) => ({
      status: 200,
      body: { query, after: after.map(({ id }) => id) },
    }));
    const granted = ['profile:read', 'message:send'];
    const { token, session } = here.identity.signIn(here.clock, { permissions: granted });
    const { token: colleague } = here.identity.signIn(here.clock, {
      permissions: granted,
      organizationId: session.organizationId,
    });
    const { token: stranger } = here.identity.signIn(here.clock, { permissions: granted });
    const seen = async (who: string): Promise<string[]> =>
      (await call(here, 'GET', '/things', { token: who })).body['after'] ?? [];
    const all = await inTime(2000, async () => {
      for (const who of [token, colleague]) await call(here, 'POST', '/things', { token: who, body: { name: 'one' } });
      return [await seen(token), await seen(colleague), await seen(stranger)].map((marks) => [...new Set(marks)]);
    });
    expect(all).toEqual([['event-1'], ['event-1'], []]);
    expect(written.map(({ after = [] }) => after)).toEqual([[], raised]);
    here.clock.advance(2001);
    expect(await seen(token)).toEqual([]);
  });

  it('holds after a refusal that came with events', async () => {
    const here = await start();
    await here.own('CreateThing', async () => {
      throw new Refused('ENGINE_TIMEOUT', 'No answer.', undefined, undefined, [{ id: 'event-2', type: 'thing.lost' }]);
    });
    await here.own('ListThings', async ({ query, after = [] }) => ({
      status: 200,
      body: { query, after: after.map(({ id }) => id) },
    }));
    const { token } = here.identity.signIn(here.clock, { permissions: ['profile:read', 'message:send'] });
    const after = await inTime(2000, async () => {
      expect((await call(here, 'POST', '/things', { token, body: { name: 'one' } })).status).toBe(504);
      return (await call(here, 'GET', '/things', { token })).body['after'] ?? [];
    });
    expect(after).toEqual(['event-2']);
  });
});

describe('metrics', () => {
  it('have a port of their own', async () => {
    const here = await start({ METRICS_PORT: '0' });
    await call(here, 'GET', '/health');
    await call(here, 'GET', '/nothing');
    const answer = await fetch(`http://127.0.0.1:${here.gateway.metricsPort}/metrics`);
    const text = await answer.text();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/health",status="200"} 1');
    expect(text).toContain('route="none",status="404"');
    expect(text).toContain('http_requests_in_flight 0');
    expect((await call(here, 'GET', '/metrics')).status).toBe(404);
  });
});

describe('stopping', () => {
  it('finishes what is being answered, and takes nothing new', async () => {
    const here = await start({ SHUTDOWN_DELAY_SECONDS: '3' });
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await here.own('StartThing', async () => {
      arrived.resolve();
      await go.promise;
      return { status: 202, body: { status: 'started' } };
    });
    const { token } = here.identity.signIn(here.clock);
    const running = call(here, 'POST', '/things/0198c0de-0000-7000-8000-000000000001/start', { token });
    await arrived.promise;
    const stopped = here.stop();
    expect((await call(here, 'GET', '/health/ready')).status).toBe(503);
    const refused = await eventually(() =>
      call(here, 'GET', '/health').then(
        () => undefined,
        (error: Error) => error.message,
      ),
    );
    expect(refused).toBe('fetch failed');
    go.resolve();
    expect((await running).body).toEqual({ status: 'started' });
    await stopped;
    gateway = undefined;
  });

  /** A request that is answered when `go` is called, and what opens connections and writes to them. */
  const busy = async () => {
    const here = await start();
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await here.own('StartThing', async () => {
      arrived.resolve();
      await go.promise;
      return { status: 202, body: { status: 'started' } };
    });
    const { token } = here.identity.signIn(here.clock);
    const running = call(here, 'POST', '/things/0198c0de-0000-7000-8000-000000000001/start', { token });
    await arrived.promise;
    const open = async (text: string) => {
      const socket = connect(here.gateway.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
      // Reset or closed in order: both are an end.
      return { ended: new Promise((resolve) => socket.resume().once('close', resolve)) };
    };
    return { here, running, go: go.resolve, open };
  };

  it('waits for no connection on which nothing is asked', async () => {
    const { here, running, go, open } = await busy();
    const others = await Promise.all([open(''), open('GET /api/v1/health HTTP/1.1\r\nHost: here\r\n')]);
    const stopped = here.stop();
    await Promise.all(others.map(({ ended }) => ended));
    go();
    expect((await running).body).toEqual({ status: 'started' });
    await stopped;
    gateway = undefined;
  });

  it('stops those who answer, so that what waits for that is answered too', async () => {
    const { here, running, go } = await busy();
    await here.stop(async () => go());
    expect((await running).body).toEqual({ status: 'started' });
    gateway = undefined;
  });
});

describe('an owner that lets requests wait until their deadline', () => {
  it('is left alone for a while, and others are not', async () => {
    // It is left alone for five seconds.
    const { late, refused, asked, other } = await inTime(4000, async () => {
      await gateway?.stop();
      const here = await start();
      const hung = await here.own('CreateThing', () => new Promise(() => undefined));
      await here.own('GetMe', () => Promise.reject(new Error('asked')));
      const { token } = here.identity.signIn(here.clock, { permissions: ['message:send'] });
      const ask = () => call(here, 'POST', '/things', { token, body: { name: 'one' } });
      const waiting = Array.from({ length: 12 }, ask);
      while (hung.length < 12) await wait(10);
      here.clock.advance(60_001);
      const answers = await Promise.all(waiting);
      const next = await ask();
      return {
        late: answers,
        refused: next,
        asked: hung.length,
        other: await call(here, 'GET', '/auth/me', { token }),
      };
    });
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([503]));
    expect([refused.status, refused.headers.get('retry-after'), asked]).toEqual([503, '5', 12]);
    expect(other.status).toBe(500);
  });
});

describe('starting', () => {
  it('names all faults of the configuration at once', () => {
    const environment = {
      JWT_SECRET: 'short',
      API_PORT: 'x',
      RATE_LIMIT_AUTH: 'many',
      TRUST_PROXY: 'everyone',
      CORS_ORIGINS: 'admin.example.com',
      NODE_ENV: 'prod',
    };
    let fault: unknown;
    try {
      readSettings(gatewaySettings, environment);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(SettingsFault);
    expect((fault as SettingsFault).faults.map((text) => text.split(' ')[0])).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
  });

  it('says in one line that the port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const pool = new Pool({ connectionString: database.url });
    pool.on('error', () => undefined); // the database is dropped while its connections still close
    const environment = {
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      JWT_SECRET: accessSecret,
      JWT_REFRESH_SECRET: refreshSecret,
    };
    const starting = createGateway({
      settings: readSettings(gatewaySettings, environment),
      operations: inProcessOperationBus({ clock: systemClock }),
      cache: memoryCache(systemClock),
      media: noMedia,
      clock: systemClock,
      log: silentLogger,
      metrics: new Registry(),
      database: pool,
      ready: () => ({ database: true, broker: true, cache: true, services: true }),
    });
    await expect(starting).rejects.toThrow(`API_PORT ${port} is used by another program.`);
    await pool.end();
    taken.close();
  });
});
