import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeWithBrowser } from '@messaging-gateway/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { World } from './world.ts';

/** A site that is not ours, and that browsers would not let reach this machine at all: another guard than those that are tried. */
const elsewhere = ['--host-resolver-rules=MAP evil.test 127.0.0.1', '--disable-features=LocalNetworkAccessChecks'];

const header = { 'x-admin-session': '1' };
const password = 'correct horse battery';

interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookies: readonly string[];
}

/** Cookies that a browser keeps of a gateway, by their names. */
class Jar {
  readonly #host: string;
  readonly held = new Map<string, string>();

  constructor(host: string) {
    this.#host = host;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = header): Promise<Told> {
    const answer = await fetch(`${this.#host}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        cookie: [...this.held].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': headers['content-type'] ?? 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const cookies = answer.headers.getSetCookie();
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.held.delete(name);
      else this.held.set(name, value);
    }
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Told['body'], cookies };
  }

  status = async (...given: Parameters<Jar['ask']>): Promise<number> => (await this.ask(...given)).status;

  async register(): Promise<Told & { email: string }> {
    const email = `${randomUUID()}@example.com`;
    return { email, ...(await this.ask('POST', '/auth/register', { email, password, name: 'Ada' })) };
  }
}

interface ScriptInit {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly mode?: 'no-cors';
}

async function emptyPages(port: number): Promise<Server> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/**
 * The session of a page in a browser, which no script can read and no other page can use.
 *
 * @param namedPort of localhost, whose pages `CORS_ORIGINS` names
 */
export function browserSession(at: () => World, namedPort: () => number): void {
  describe('a session in cookies', () => {
    const jar = () => new Jar(at().gateway.host);

    it('begins when the page asks for it, and tells no token', async () => {
      const ada = jar();
      const { status, body, cookies, email } = await ada.register();
      expect([status, body]).toMatchObject([201, { accessToken: '', refreshToken: '', user: { role: 'Owner' } }]);
      const ofToken = (name: string) =>
        new RegExp(`^${name}=[\\w.-]{100,}; Max-Age=\\d{5,}; Path=/; HttpOnly; SameSite=Strict$`);
      expect(cookies).toEqual([
        expect.stringMatching(ofToken('gateway_access')),
        expect.stringMatching(ofToken('gateway_refresh')),
      ]);
      expect((await ada.ask('GET', '/auth/me')).body).toMatchObject({ email });
      const anew = jar();
      expect((await anew.ask('POST', '/auth/login', { email, password })).body).toMatchObject({ accessToken: '' });
      expect(await anew.status('GET', '/auth/me', undefined, {})).toBe(200);
      const program = jar();
      const { body: plain, cookies: none } = await program.ask('POST', '/auth/login', { email, password }, {});
      expect([none, plain['accessToken']]).toEqual([[], expect.stringMatching(/^ey/)]);
    });

    it('counts only where nothing else says who it is', async () => {
      const ada = jar();
      await ada.register();
      for (const other of ['authorization', 'x-api-key'])
        for (const value of ['', 'nonsense', 'Bearer x'])
          expect([other, value, await ada.status('GET', '/auth/me', undefined, { ...header, [other]: value })]).toEqual(
            [other, value, 401],
          );
    });

    it('counts for writes only with the header, whatever the body is', async () => {
      const ada = jar();
      await ada.register();
      const body = '{"name":"Forged"}';
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        for (const [method, path] of [
          ['POST', '/profiles'],
          ['POST', '/auth/logout'],
          ['POST', '/uploads/media'],
          ['DELETE', '/auth/sessions'],
        ] as const) {
          const { status, body: told } = await ada.ask(method, path, body, { 'content-type': type });
          expect([type, path, status, told['error']]).toMatchObject([
            type,
            path,
            401,
            { message: expect.stringContaining('X-Admin-Session') },
          ]);
        }
      expect(await ada.status('POST', '/auth/logout', undefined, { 'x-admin-session': 'true' })).toBe(401);
      expect(await ada.status('POST', '/profiles', { name: 'Own' })).toBe(201);
      expect((await ada.ask('GET', '/profiles')).body).toMatchObject({ items: [{ name: 'Own' }] });
    });

    it('is renewed from its cookie; asked again with its key it is the same, and a token that was used ends it', async () => {
      const ada = jar();
      await ada.register();
      const first = ada.held.get('gateway_refresh') ?? '';
      const key = { ...header, 'idempotency-key': randomUUID() };
      expect(await ada.ask('POST', '/auth/refresh', undefined, key)).toMatchObject({
        status: 200,
        body: { accessToken: '', refreshToken: '' },
      });
      const second = ada.held.get('gateway_refresh');
      expect(second).not.toBe(first);
      ada.held.set('gateway_refresh', first); // as if the answer had been lost
      expect(await ada.status('POST', '/auth/refresh', {}, key)).toBe(200);
      expect(ada.held.get('gateway_refresh')).toBe(second);
      expect(await ada.status('POST', '/auth/refresh', undefined, {})).toBe(400); // nobody else has it exchanged
      ada.held.set('gateway_refresh', first);
      const used = await ada.ask('POST', '/auth/refresh');
      expect([used.status, used.cookies.length, ada.held.size]).toEqual([401, 2, 0]);
      expect(await ada.status('POST', '/auth/refresh')).toBe(401);
    });

    it('ends with logging out, and when it is revoked elsewhere', async () => {
      const [ada, elsewhere] = [jar(), jar()];
      const { email } = await ada.register();
      await elsewhere.ask('POST', '/auth/login', { email, password });
      const kept = new Map(ada.held);
      expect(await elsewhere.status('DELETE', '/auth/sessions')).toBe(200);
      expect(await ada.status('GET', '/auth/me')).toBe(401);
      expect([await ada.status('POST', '/auth/logout'), ada.held.size]).toEqual([401, 0]);
      const left = new Map(elsewhere.held);
      expect([await elsewhere.status('POST', '/auth/logout'), elsewhere.held.size]).toEqual([204, 0]);
      for (const cookies of [kept, left]) {
        for (const [name, value] of cookies) elsewhere.held.set(name, value);
        expect(await elsewhere.status('GET', '/auth/me')).toBe(401);
      }
    });
  });

  describeWithBrowser('a session in cookies, in a browser', (program) => {
    let browser: Browser;
    let context: BrowserContext;
    let gateway: string;
    let other: Server;
    let named: Server;

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', ...elsewhere] });
      other = await emptyPages(0);
      named = await emptyPages(namedPort());
    }, 600_000);
    afterAll(async () => {
      await browser?.close();
      other.close();
      named.close();
    });

    async function pageAt(url: string): Promise<Page> {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    }
    /** Answer as a script of the page sees it: status and text, or that the browser refused. */
    const script = (
      page: Page,
      method: string,
      path: string,
      init: ScriptInit = {},
    ): Promise<[number, string] | 'refused'> =>
      page.evaluate(
        async ([url, given]) => {
          try {
            const answer = await fetch(url, given);
            return [answer.status, await answer.text()] as [number, string];
          } catch {
            return 'refused' as const;
          }
        },
        [`${gateway}/api/v1${path}`, { method, credentials: 'include', ...init }] as const,
      );
    const profiles = async (page: Page): Promise<string[]> => {
      const answer = await script(page, 'GET', '/profiles');
      const { items } = JSON.parse(answer[1] ?? '') as { items: { name: string }[] };
      return items.map(({ name }) => name);
    };

    it('serves the page of its origin and of origins that are named, and no other', async () => {
      gateway = at().gateway.host.replace('127.0.0.1', 'localhost');
      context = await browser.newContext();
      const own = await pageAt(`${gateway}/api/v1/health`);
      const json = { ...header, 'content-type': 'application/json' };
      const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password, name: 'Ada' });
      expect(await script(own, 'POST', '/auth/register', { headers: json, body })).toMatchObject([
        201,
        expect.anything(),
      ]);
      expect(await own.evaluate('document.cookie')).toBe('');
      const page = await pageAt(`http://localhost:${portOf(named)}`);
      expect(await script(page, 'POST', '/profiles', { headers: json, body: '{"name":"Named"}' })).toMatchObject([
        201,
        expect.anything(),
      ]);
      expect(await profiles(page)).toEqual(['Named']);

      const form = 'application/x-www-form-urlencoded';
      for (const host of ['localhost', 'evil.test']) {
        const origin = `http://${host}:${portOf(other)}`;
        const evil = await pageAt(origin);
        expect(await script(evil, 'GET', '/auth/me')).toBe('refused');
        expect(await script(evil, 'POST', '/profiles', { headers: json, body: '{"name":"Forged"}' })).toBe('refused');
        for (const [path, type] of [
          ['/profiles', 'text/plain'],
          ['/profiles', form],
          ['/auth/logout', form],
          ['/auth/logout', 'multipart/form-data; boundary=x'],
        ] as const)
          await script(evil, 'POST', path, {
            mode: 'no-cors',
            headers: { 'content-type': type },
            body: '{"name":"Forged"}',
          });
        for (const enctype of ['text/plain', form, 'multipart/form-data']) {
          const posting = await pageAt(origin);
          const answered = posting.waitForResponse((response) => response.request().method() === 'POST');
          await posting.setContent(`<form method="post" enctype="${enctype}" action="${gateway}/api/v1/auth/logout">`);
          await posting.evaluate('document.forms[0].submit()');
          expect([origin, enctype, (await answered).status()]).toEqual([origin, enctype, 401]);
        }
      }
      expect(await profiles(own)).toEqual(['Named']);
      expect(await script(own, 'POST', '/auth/logout', { headers: header })).toEqual([204, '']);
      expect(await context.cookies()).toEqual([]);
      await context.close();
    }, 600_000);
  });
}
