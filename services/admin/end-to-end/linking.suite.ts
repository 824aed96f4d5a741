import { beforeAll, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import type { Page } from 'playwright-core';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Text of the QR code on the screen, as a phone would read it. */
async function scannedFrom(page: Page): Promise<string> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  const code = jsqr.default(new Uint8ClampedArray(data), width, height);
  if (code === null) throw new Error('There is no code on the screen that can be read.');
  return code.data;
}

/** Profiles: made, linked by both ways, limited, deleted. */
export function linking(at: () => AdminWorld): void {
  describe('profiles', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      shown = await visit(world, '/profiles', { person: ada });
    });

    const create = async (page: Page, name: string) => {
      await page.getByRole('button', { name: 'Create profile', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create profile', exact: true });
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await dialog.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await dialog.locator('code').textContent()).toContain(JSON.stringify({ name }));
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('table', { name: 'Profiles', exact: true }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    };
    const connection = (page: Page) => page.getByRole('status', { name: 'Connection', exact: true });

    it.each(['light', 'dark'] as const)('links a phone that scans the code on the screen, %s', async (colorScheme) => {
      const { page } = shown;
      const phone = colorScheme === 'light' ? '4915112360001' : '4915112360002';
      await world.network.createPhone({ phone });
      await page.emulateMedia({ colorScheme });
      await page.goto('/profiles');
      await create(page, `Sales ${colorScheme}`);
      expect(await connection(page).textContent()).toBe('Disconnected');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const code = page.getByRole('img', { name: 'QR code', exact: true });
      await code.waitFor();
      expect((await code.boundingBox())?.width).toBeGreaterThanOrEqual(200);
      expect(await page.getByText(/^Expires in \d+ s$/).textContent()).toMatch(/\d/);
      expect(await axeFaults(page)).toEqual([]);
      await code.scrollIntoViewIfNeeded();
      await world.network.scan(phone, await scannedFrom(page));
      await connection(page).getByText('Connected', { exact: true }).waitFor();
      expect(await connection(page).textContent()).toContain(phone);
      expect(shown.faults).toEqual([]);
    });

    it('links a phone by a code that is typed there, and says when it was unlinked, with what to do', async () => {
      const { page } = shown;
      const phone = '4915112360003';
      await world.network.createPhone({ phone });
      await page.goto('/profiles');
      await create(page, 'Support');
      await page.getByRole('button', { name: 'Link with phone number', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Link with phone number', exact: true });
      await dialog.getByRole('textbox', { name: 'Phone number', exact: true }).fill('nonsense');
      await dialog.getByRole('button', { name: 'Get code', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('textbox', { name: 'Phone number', exact: true }).fill(`+${phone}`);
      await dialog.getByRole('button', { name: 'Get code', exact: true }).click();
      const code = dialog.getByRole('status', { name: 'Pairing code', exact: true });
      await code.waitFor();
      await world.network.enterPairingCode(phone, (await code.textContent()) ?? '');
      await connection(page).getByText('Connected', { exact: true }).waitFor();
      await dialog.waitFor({ state: 'detached' });
      await world.network.unlink(phone);
      await connection(page).getByText('Logged out', { exact: true }).waitFor();
      await page.getByText('The device was unlinked on the phone. Connect and scan the code anew.').waitFor();
    });

    it('keeps name and limits, and says at the field what is wrong', async () => {
      const { page } = shown;
      await page.goto('/profiles');
      await create(page, 'Limited');
      const limit = page.getByRole('textbox', { name: 'Daily limit (empty: none)', exact: true });
      await limit.fill('-1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('alert').waitFor();
      expect(await limit.getAttribute('aria-invalid')).toBe('true');
      await limit.fill('25');
      await page.getByRole('textbox', { name: 'Delay between messages (ms)', exact: true }).fill('2000');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
      const { items } = (await ada.tenant.call<{ items: object[] }>('GET', '/profiles?search=Limited')).body;
      expect(items).toMatchObject([{ name: 'Limited', dailyMessageLimit: 25, messageDelayMs: 2000 }]);
    });

    it('deletes one once its name was typed', async () => {
      const { page } = shown;
      await page.getByRole('button', { name: 'Delete profile', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('textbox', { name: 'Type the name to confirm', exact: true }).fill('Limited');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Limited', exact: true }).waitFor({ state: 'detached' });
      expect((await ada.tenant.call('GET', '/profiles?search=Limited')).body).toMatchObject({ items: [] });
    });

    it('comes with all its files and who is signed in at once, each asked for once', async () => {
      const { page } = shown;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const answer = await page.goto('/profiles');
      await page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
      const named = [...(answer?.headers()['link'] ?? '').matchAll(/<([^>]+)>/g)].map(([, path]) => path);
      expect(named).toContain('/api/v1/auth/me');
      expect(named.filter((path) => path?.endsWith('.js')).length).toBeGreaterThan(1);
      for (const path of named) expect([path, asked.filter((one) => one === path).length]).toEqual([path, 1]);
      const scripts = (paths: readonly (string | undefined)[]) => paths.filter((path) => path?.endsWith('.js'));
      const first = ['index', 'libraries', 'core', 'rolldown-runtime'];
      const unnamed = scripts(asked).filter((path) => !named.includes(path));
      expect(unnamed.filter((path) => !first.some((name) => path?.includes(`/${name}-`)))).toEqual([]);
    });

    it('is not found where there is none', async () => {
      const { page } = shown;
      for (const id of ['0198c0de-0000-7000-8000-000000000001', 'nonsense']) {
        await page.goto(`/profiles/${id}`);
        await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
      }
    });

    it('is accessible from right to left at 320 px', async () => {
      const { page, close } = await visit(world, '/profiles', {
        person: ada,
        locale: 'ar',
        viewport: { width: 320, height: 640 },
      });
      await page.getByRole('table').waitFor();
      expect([await page.getAttribute('html', 'dir'), await axeFaults(page), await isTooWide(page)]).toEqual([
        'rtl',
        [],
        false,
      ]);
      await close();
      expect(shown.faults).toEqual([]);
      await shown.close();
    });
  });
}
