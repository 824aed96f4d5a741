import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { newPerson, password, visit, type Person } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Several tabs of one browser: one session, one stream. */
export function manyTabs(at: () => AdminWorld): void {
  describe('many tabs', () => {
    let world: AdminWorld;
    let ada: Person;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
    });

    const shows = (page: Page) => page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
    const isLive = (page: Page) =>
      page.getByRole('status', { name: 'Live updates', exact: true }).getByText('Live', { exact: true }).waitFor();
    const open = (context: BrowserContext, many: number, url: string) =>
      Promise.all(
        Array.from({ length: many }, async () => {
          const page = await context.newPage();
          await page.goto(url);
          return page;
        }),
      );

    it('renew a session whose access token is over once, and all go on', async () => {
      const { page, faults, close } = await visit(world, '/profiles', { person: ada });
      await shows(page);
      const context = page.context();
      let renewals = 0;
      await context.route('**/auth/refresh', (route) => {
        renewals += 1;
        return route.continue();
      });
      await context.clearCookies({ name: 'gateway_access' });
      const tabs = await open(context, 3, '/profiles');
      await Promise.all(tabs.map(shows));
      expect([renewals, faults]).toEqual([1, []]);
      await close();
    });

    it('all sign out with one of them', async () => {
      const { page, close } = await visit(world, '/profiles', { person: ada });
      await shows(page);
      const [other] = await open(page.context(), 1, '/profiles');
      await shows(other as Page);
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await other?.waitForURL(/\/sign-in/);
      await close();
    });

    it('share one stream on plain HTTP, where a browser has six connections and no locks', async () => {
      const { host } = world.gateway;
      const elsewhere = host.replace('127.0.0.1', 'gateway.test');
      const context = await world.browser.newContext({ baseURL: elsewhere });
      let streams = 0;
      context.on('request', (request) => {
        if (request.headers()['accept'] === 'text/event-stream') streams += 1;
      });
      const page = await context.newPage();
      await page.goto('/sign-in?next=/profiles');
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await shows(page);
      await isLive(page);
      expect(await page.evaluate('[isSecureContext, "locks" in navigator]')).toEqual([false, false]);
      const before = streams;
      const tabs = await open(context, 8, '/profiles');
      await Promise.all(tabs.map(shows));
      await Promise.all(tabs.map(isLive));
      expect(streams).toBe(before);
      // Whoever reads goes: another one takes its place, and each of them hears what happens.
      await page.close();
      await ada.tenant.call('POST', '/profiles', { name: 'Told to all' });
      await Promise.all(tabs.map((tab) => tab.reload()));
      await Promise.all(tabs.map(isLive));
      await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Told to all', exact: true }).waitFor()));
      await context.close();
    }, 600_000);
  });
}
