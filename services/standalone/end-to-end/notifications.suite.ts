import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestMailServer } from '@messaging-gateway/mail/testing';
import {
  connected,
  describeWithBrowser,
  eventually,
  linkProfile,
  NotificationStream,
  register,
  type FakePushService,
  type LinkedProfile,
  type SubscriptionJson,
  type Tenant,
  type ToldNotification,
} from '@messaging-gateway/testing';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import type { World } from './world.ts';

const phone = '4915112345696';

/** What members are told, by the list, its stream, their browsers and mails. A kill -9 among it. */
export function notifications(
  at: () => World,
  outside: () => { readonly pushService: FakePushService; readonly mailServer: TestMailServer },
): void {
  describe('notifications', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    const write = (contact: string, text: string) =>
      world.network.sendFromContact(contact, { to: profile.phone, text });
    const list = async (query = ''): Promise<ToldNotification[]> =>
      (await tenant.call<{ items: ToldNotification[] }>('GET', `/notifications?type=message${query}`)).body.items;
    const pushes = ({ endpoint }: SubscriptionJson) =>
      outside().pushService.pushed.filter((push) => push.endpoint === endpoint && push.payload.type === 'message');

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      profile = await linkProfile(world, tenant, phone);
    }, 600_000);

    it('come as an event stream, and go on where it broke off, over a kill -9', async () => {
      const stream = new NotificationStream(tenant.token);
      await stream.open(world.gateway.host);
      await write('4915187654401', 'One');
      await stream.until(({ body }) => body === 'One');
      await write('4915187654401', 'Two');
      await stream.until(({ body, metadata }) => body === 'Two' && metadata.count === 2);
      stream.close();
      await write('4915187654402', 'While away');
      await eventually(async () => ((await list()).length === 2 ? true : undefined));
      await world.gateway.kill();
      await write('4915187654403', 'While it was gone');
      await world.restart();
      await connected(tenant, profile.profileId);
      await stream.open(world.gateway.host);
      await stream.until(({ body }) => body === 'While it was gone');
      expect(stream.told.map(({ body }) => body)).toEqual(['One', 'Two', 'While away', 'While it was gone']);
      stream.close();
      const mute = await tenant.call('PUT', `/conversations/${stream.told[0]?.metadata.conversationId}/mute`);
      expect(mute.status).toBe(200);
    }, 600_000);

    it('are pushed to browsers once each, those too that waited at a kill -9', async () => {
      const { pushService } = outside();
      const browser = pushService.subscribe();
      const subscribed = await tenant.call('POST', '/notifications/push/subscribe', browser);
      expect([subscribed.status, subscribed.body]).toMatchObject([200, { endpoint: browser.endpoint }]);
      expect((await tenant.call('POST', '/notifications/push/test')).body).toEqual({ sent: 1, failed: 0, removed: 0 });
      pushService.behave({ status: 503, retryAfter: '5' }, browser.endpoint);
      const contacts = Array.from({ length: 5 }, (_, n) => `491518765442${n}`);
      for (const contact of contacts) await write(contact, `From ${contact}`);
      await eventually(async () => ((await list('&limit=200')).length === 8 ? true : undefined));
      await world.gateway.kill();
      pushService.behave(201, browser.endpoint);
      await world.restart();
      await connected(tenant, profile.profileId);
      world.moveClock(5_000);
      await eventually(async () => (pushes(browser).length >= contacts.length ? true : undefined));
      await write('4915187654429', 'The last');
      await eventually(async () =>
        pushes(browser).some(({ payload }) => payload.body === 'The last') ? true : undefined,
      );
      expect(
        pushes(browser)
          .map(({ payload }) => payload.body)
          .toSorted(),
      ).toEqual([...contacts.map((contact) => `From ${contact}`), 'The last'].toSorted());
      // The first chat is muted: nothing is told of it any more.
      await write('4915187654401', 'Muted');
      await write('4915187654430', 'Not muted');
      await eventually(async () => ((await list()).some(({ body }) => body === 'Not muted') ? true : undefined));
      expect((await list('&limit=200')).filter(({ body }) => body === 'Muted')).toEqual([]);
      expect(
        (await tenant.call('POST', '/notifications/push/unsubscribe', { endpoint: browser.endpoint })).status,
      ).toBe(204);
    }, 600_000);

    it('are mailed by the server of the installation to who wants that', async () => {
      const { mailServer } = outside();
      const before = mailServer.mails.length;
      expect((await tenant.call('PATCH', '/auth/preferences', { emailNotifications: true })).status).toBe(200);
      await write('4915187654440', 'By mail');
      await eventually(async () => ((await list()).some(({ body }) => body === 'By mail') ? true : undefined));
      // A mail gathers what comes within 10 s.
      world.moveClock(10_000);
      const mail = await eventually(async () => mailServer.mails[before]);
      expect(mail.text).toContain('By mail');
      expect(mail.raw).toContain('unread notification');
    }, 600_000);

    describeWithBrowser('the example of a page', (program) => {
      let chrome: Browser;
      let site: Server;
      let page: Page;
      let worker: CDPSession;
      let address: string;
      let registrationId = '';
      beforeAll(async () => {
        site = await exampleSite(() => world.gateway.host);
        address = `http://localhost:${(site.address() as AddressInfo).port}`;
        chrome = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
        const context = await chrome.newContext();
        await context.grantPermissions(['notifications'], { origin: address });
        page = await context.newPage();
        worker = await context.newCDPSession(page);
        worker.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          registrationId = registrations[0]?.registrationId ?? registrationId;
        });
        await worker.send('ServiceWorker.enable');
        await page.goto(address);
      }, 600_000);
      afterAll(async () => {
        await chrome.close();
        site.close();
        site.closeAllConnections();
      });

      it('subscribes, and its service worker shows what is pushed, of a chat the last', async () => {
        const browser = outside().pushService.subscribe();
        // No push service of a browser's maker can be reached here: the browser is told what it would say.
        await page.evaluate(
          async ({ given, token }) => {
            const subscription = { toJSON: () => given, endpoint: given.endpoint, unsubscribe: async () => true };
            const scope = globalThis as unknown as {
              PushManager: { prototype: object };
              location: { origin: string };
              subscribedWith?: unknown;
            };
            Object.assign(scope.PushManager.prototype, {
              getSubscription: async () => null,
              subscribe: async (options: unknown) => {
                scope.subscribedWith = options;
                return subscription;
              },
            });
            const { startPushes } = (await import(`${scope.location.origin}/push-subscribe.js`)) as {
              startPushes: (base: string, headers: object) => Promise<void>;
            };
            await startPushes('/api/v1', { authorization: `Bearer ${token}` });
          },
          { given: browser, token: tenant.token },
        );
        const { body: key } = await tenant.call('GET', '/notifications/push/vapid-key');
        expect(await page.evaluate('subscribedWith')).toEqual({
          userVisibleOnly: true,
          applicationServerKey: key['publicKey'],
        });
        await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
        await eventually(async () => (registrationId === '' ? undefined : true));
        const contact = '4915187654450';
        await write(contact, 'Pushed');
        const push = await eventually(async () => pushes(browser)[0]);
        for (const payload of [push.payload, { ...push.payload, body: 'The later one' }])
          await worker.send('ServiceWorker.deliverPushMessage', {
            origin: address,
            registrationId,
            data: JSON.stringify(payload),
          });
        const shown = await eventually(async () => {
          const all = await page.evaluate<{ title: string; body: string; tag: string }[]>(
            `navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
               .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`,
          );
          return all.some(({ body }) => body === 'The later one') ? all : undefined;
        });
        expect(shown).toEqual([{ title: push.payload.title, body: 'The later one', tag: push.payload.tag }]);
      }, 600_000);
    });
  });
}

/** A site that has the examples, and passes requests below /api on to a gateway. */
async function exampleSite(host: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const serve = async (): Promise<void> => {
      if (url.startsWith('/api/')) {
        const pieces: Buffer[] = [];
        for await (const piece of request) pieces.push(piece as Buffer);
        const answer = await fetch(`${host()}${url}`, {
          method,
          headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
          ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      } else if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Page');
      else {
        const file = readFileSync(new URL(`../../../docs/examples${url}`, import.meta.url));
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
      }
    };
    serve().catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
