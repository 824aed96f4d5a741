import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { axeFaults, isTooWide, newPerson, password, visit, type Person } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** How somebody comes in and goes. */
export function signingIn(at: () => AdminWorld): void {
  describe('signing in', () => {
    let world: AdminWorld;
    let ada: Person;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
    });

    it('leads whoever is signed out to sign in and back, and shows no script a token', async () => {
      const { page, faults, close } = await visit(world, '/profiles?search=x');
      await page.waitForURL(/\/sign-in\?next=/);
      await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill('a wrong password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      expect(await page.getByRole('alert').textContent()).toMatch(/Request ID: [\da-f-]{36}/);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(/\/profiles\?search=x$/);
      await page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
      expect(await page.title()).toMatch(/^Profiles/);
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ/);
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.waitForURL(/\/sign-in$/);
      await page.goto('/profiles');
      await page.waitForURL(/\/sign-in\?next=/);
      expect(faults).toEqual([]);
      await close();
    });

    it('registers somebody, saying at the field what is wrong with it', async () => {
      const { page, faults, close } = await visit(world, '/register');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace');
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('grace@example.com');
      const field = page.getByLabel('Password', { exact: true });
      await field.fill('short');
      await page.getByRole('button', { name: 'Create account', exact: true }).click();
      await page.getByRole('alert').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const [described = ''] = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
      expect(await page.locator(`[id="${described}"]`).textContent()).toBe('must have at least 12 characters');
      await field.fill(password);
      await page.getByRole('button', { name: 'Create account', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
      expect(faults).toEqual([]);
      await close();
    });

    it('leads nowhere else than here', async () => {
      const { page, close } = await visit(world, '/sign-in?next=https://example.com/');
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
      expect(page.url()).toBe(`${world.gateway.host}/`);
      await close();
    });

    it('counts down how long somebody has to wait', async () => {
      const { page, close } = await visit(world, '/sign-in');
      const refusal = {
        success: false,
        error: { code: 'RATE_LIMITED', message: 'Too many requests.', requestId: 'r-1' },
      };
      await page.route('**/auth/login', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '50' }, json: refusal }),
      );
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      const left = async (): Promise<number> =>
        Number(/(\d+) s/.exec((await page.getByRole('alert').textContent()) ?? '')?.[1]);
      const first = await left();
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThanOrEqual(50);
      await eventually(async () => (await left()) < first || undefined);
      await close();
    });

    it.each([
      ['in the dark', { colorScheme: 'dark' }],
      ['in the light from right to left at 320 px', { locale: 'ar', viewport: { width: 320, height: 640 } }],
    ] as const)('is accessible, %s', async (_, options) => {
      const { page, faults, close } = await visit(world, '/sign-in', options);
      for (const path of ['/sign-in', '/register', '/change-password']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([path, await axeFaults(page), await isTooWide(page), faults]).toEqual([path, [], false, []]);
      }
      await close();
    });
  });
}
