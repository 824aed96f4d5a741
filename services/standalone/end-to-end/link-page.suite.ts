import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connected, describeWithBrowser, eventually, register } from '@messaging-gateway/testing';
import type { Tenant } from '@messaging-gateway/testing';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { World } from './world.ts';

/** A page that should be in a state waits for the network, on a busy machine. Milliseconds. */
const patience = { timeout: 120_000 };

/** The page on which somebody without a credential links a profile, in a real browser with the screen of a phone. */
export function linkPage(at: () => World): void {
  describeWithBrowser('the page for linking', (program) => {
    let world: World;
    let tenant: Tenant;
    let browser: Browser;
    let elsewhere: Server;
    let home: string;

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
      elsewhere = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Home'));
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      home = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/linked?ok=1`;
    }, 600_000);
    afterAll(async () => {
      await browser?.close();
      elsewhere.close();
    });

    /** A page on a phone's screen that loads nothing from elsewhere and says nothing to its console. */
    async function open(body: object, options: BrowserContextOptions = {}) {
      const { id } = (await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Shop <b>&' })).body;
      const made = await tenant.call<{ id: string; url: string }>('POST', `/profiles/${id}/link-page`, body);
      const context = await browser.newContext({ viewport: { width: 360, height: 640 }, ...options });
      const page = await context.newPage();
      const asked: string[] = [];
      const faults: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (said) => {
        if (!/status of 4\d\d/.test(said.text())) faults.push(said.text());
      });
      await page.goto(made.body.url);
      return {
        page,
        profileId: id,
        linkPageId: made.body.id,
        url: made.body.url,
        asked,
        faults,
        close: () => context.close(),
      };
    }
    const inState = (page: Page, status: string) => page.waitForSelector(`body[data-status=${status}]`, patience);
    const qrOf = async (profileId: string) =>
      (await tenant.call<{ qr: string; qrCode: string }>('GET', `/profiles/${profileId}/qr?wait=60`)).body;

    it('connects, shows the code of now and its successor, says that it is linked and leads back', async () => {
      const phone = '4915112340011';
      await world.network.createPhone({ phone });
      const shown = await open({ expiresInMinutes: 10, returnUrl: home, language: 'de' });
      const { page, profileId } = shown;
      await page.waitForSelector('#code[src]', patience);
      expect(await page.textContent('#name')).toBe('Shop <b>&');
      expect(await page.getAttribute('html', 'lang')).toBe('de');
      expect(await page.textContent('#state')).toBe('Scannen Sie diesen Code mit Ihrem Telefon.');
      expect(await page.textContent('#left')).toMatch(/noch (09:\d\d|10:00)/);
      expect([await page.isVisible('#return'), await page.isVisible('#again')]).toEqual([false, false]);
      const width = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
      expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0); // nothing is cut off
      // The code changes from time to time: the page shows the one of now, soon after it has changed.
      const first = await eventually(async () => {
        const code = await qrOf(profileId);
        return (await page.getAttribute('#code', 'src')) === code.qrCode ? code : undefined;
      });
      await tenant.call('POST', `/profiles/${profileId}/disconnect`);
      await inState(page, 'disconnected');
      await page.click('#again');
      await page.waitForSelector(`body[data-status=awaiting_scan] #code[src]:not([src="${first.qrCode}"])`, patience);
      await world.network.scan(phone, (await qrOf(profileId)).qr);
      await page.waitForURL(home, patience);
      await connected(tenant, profileId);
      expect(await page.evaluate('document.referrer')).toBe('');
      const host = world.gateway.host;
      expect(shown.asked.filter((url) => !url.startsWith(host) && !url.startsWith('data:') && url !== home)).toEqual(
        [],
      );
      const token = shown.url.split('#')[1] ?? '';
      expect(shown.asked.slice(1).filter((url) => url.includes(token))).toEqual([]);
      expect(shown.faults).toEqual([]);
      await shown.close();
    }, 600_000);

    it('gives a pairing code for a phone number, in the language of the browser', async () => {
      const phone = '4915112340012';
      await world.network.createPhone({ phone });
      const shown = await open({ expiresInMinutes: 10 }, { locale: 'pt-BR' });
      const { page } = shown;
      await page.waitForSelector('#pair:not([hidden])', patience);
      expect(await page.textContent('#title')).toBe('Conectar um celular');
      await page.fill('#phone', 'not a number');
      await page.click('#ask');
      await page.locator('#state', { hasText: 'Não deu certo' }).waitFor(patience);
      await page.fill('#phone', `+${phone}`);
      await page.click('#ask');
      await page.waitForSelector('#typed:not([hidden])', patience);
      const code = (await page.textContent('#pairing')) ?? '';
      expect(code).toMatch(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
      await world.network.enterPairingCode(phone, code.replace('-', ''));
      await inState(page, 'connected');
      expect(await page.textContent('#state')).toBe('O celular está conectado. Você pode fechar esta página.');
      await world.network.unlink(phone);
      await inState(page, 'logged_out');
      expect(await page.textContent('#state')).toBe('O celular removeu a conexão.');
      await shown.close();
    }, 600_000);

    it('says that it is over once it was withdrawn, also when it is opened again', async () => {
      const shown = await open({ expiresInMinutes: 10, language: 'es' });
      const { page, profileId, linkPageId } = shown;
      await page.waitForSelector('#code[src]', patience);
      await tenant.call('DELETE', `/profiles/${profileId}/link-page/${linkPageId}`);
      await inState(page, 'ended');
      expect(await page.textContent('#state')).toMatch(/^Esta página ya no está abierta/);
      expect(await page.isVisible('#code')).toBe(false);
      await page.reload();
      await inState(page, 'ended');
      await shown.close();
    }, 600_000);

    it('has a page of simulated phones beside it, for who has none', async () => {
      const phone = '4915112340013';
      const { id } = (await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Simulated' })).body;
      await tenant.call('POST', `/profiles/${id}/connect`);
      const page = await browser.newPage();
      await page.goto(`${world.network.control}/`);
      await page.fill('#phone', phone);
      await page.fill('#contact', '4915112340014');
      await page.fill('#qr', 'nonsense');
      await page.click('#scan button');
      await page.locator('#said', { hasText: 'QR' }).waitFor(patience);
      await page.fill('#qr', (await qrOf(id)).qr);
      await page.click('#scan button');
      await page.locator('#said', { hasText: 'Linked.' }).waitFor(patience);
      await connected(tenant, id);
      await tenant.call('POST', '/messages/text', { profileId: id, to: '4915112340014', text: 'Hello' });
      await page.locator('#chat li', { hasText: 'Hello' }).waitFor(patience);
      await page.fill('#text', 'Hi back');
      await page.click('#write button');
      await page.locator('#chat li.own', { hasText: '✓✓' }).waitFor(patience);
      await page.click('#read');
      await page.locator('#said', { hasText: 'Read.' }).waitFor(patience);
      await page.close();
    }, 600_000);

    it('says that it is over once its time is', async () => {
      const shown = await open({ expiresInMinutes: 1, language: 'pt' });
      const { page } = shown;
      await page.waitForSelector('#code[src]', patience);
      world.moveClock(61_000);
      await inState(page, 'ended');
      expect(await page.textContent('#state')).toBe(
        'Esta página não está mais aberta: o tempo acabou ou ela foi retirada. Peça um novo link.',
      );
      expect([await page.isVisible('#code'), await page.isVisible('#again')]).toEqual([false, false]);
      await shown.close();
    }, 600_000);

    it('is guarded by its headers', async () => {
      const answer = await fetch(`${world.gateway.host}/link`);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      expect([answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]).toEqual([
        'no-referrer',
        'no-store',
      ]);
    });
  });
}
