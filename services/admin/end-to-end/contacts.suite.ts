import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Contacts: made, found, changed, taken in from a file, deleted. */
export function contacts(at: () => AdminWorld): void {
  describe('contacts', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      shown = await visit(world, '/contacts', { person: ada });
    });

    it('are made, with what is wrong at its field, found by tag, changed and deleted', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: 'No contacts yet', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Create contact', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Create contact', exact: true });
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace <b>Hopper</b>');
      await dialog.getByRole('textbox', { name: 'Tags', exact: true }).fill('vip, navy');
      const phone = dialog.getByRole('textbox', { name: 'Phone', exact: true });
      await phone.fill('nonsense');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      expect(await phone.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await phone.fill('+49 151 23600101');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const table = page.getByRole('table', { name: 'Contacts', exact: true });
      await table.waitFor();
      expect(await table.getAttribute('aria-rowcount')).toBe('2');
      await page.getByRole('textbox', { name: 'With tags', exact: true }).fill('absent');
      await page.getByRole('heading', { level: 2, name: 'No contacts found', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'With tags', exact: true }).fill('navy, vip');
      expect(await axeFaults(page)).toEqual([]);
      await table.getByRole('link', { name: 'Grace <b>Hopper</b>', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Grace <b>Hopper</b>', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove navy', exact: true }).click();
      await page.getByRole('textbox', { name: 'Add tags', exact: true }).fill('pioneer');
      await page.getByRole('textbox', { name: 'Add tags', exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Remove pioneer', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove navy', exact: true }).waitFor({ state: 'detached' });
      expect(await axeFaults(page)).toEqual([]);
      const { items } = (await ada.tenant.call<{ items: object[] }>('GET', '/contacts')).body;
      expect(items).toMatchObject([{ phone: '4915123600101', tags: ['vip', 'pioneer'] }]);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Contacts', exact: true }).waitFor();
      expect((await ada.tenant.call('GET', '/contacts')).body).toMatchObject({ items: [] });
      await page.goto('/contacts/nonsense');
      await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
    });

    it('are taken in from a file in pieces, over a lost connection, with its faults by line', async () => {
      const { page } = shown;
      await page.goto('/contacts/import');
      const rows = Array.from({ length: 5_003 }, (_, row) => `${491512_0000000 + row},"Person\n${row}"`);
      rows[1] = 'nonsense,"Two\nlines"';
      rows[5_001] = 'nonsense,Last';
      let asked = 0;
      await page.route('**/contacts/import/csv', async (route) => {
        asked += 1;
        if (asked !== 2) return route.continue();
        await route.fetch(); // it arrives, and its answer is lost
        return route.abort();
      });
      await page.getByLabel('CSV file', { exact: true }).setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`phone,name\n${rows.join('\n')}\n`),
      });
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await page.getByRole('status').filter({ hasText: '5001 created, 0 updated, 2 failed' }).waitFor();
      await page.getByText('The import is done.', { exact: true }).waitFor();
      expect(asked).toBe(3);
      expect(await page.getByRole('progressbar', { name: 'Import', exact: true }).getAttribute('value')).toBe('100');
      const lines = page.getByRole('table', { name: 'Errors', exact: true }).locator('tbody td:first-child');
      expect(await lines.allTextContents()).toEqual(['4', '10004']);
      expect(await axeFaults(page)).toEqual([]);
      await page.unroute('**/contacts/import/csv');
    });

    it('fit on a small screen, from right to left, and lose nothing that was said to the console', async () => {
      const { page } = shown;
      await page.setViewportSize({ width: 320, height: 700 });
      await page.evaluate("localStorage.setItem('gateway.language', 'ar')");
      for (const path of ['/contacts', '/contacts/import']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([path, await isTooWide(page)]).toEqual([path, false]);
        expect([path, await axeFaults(page)]).toEqual([path, []]);
      }
      expect(shown.faults).toEqual([]);
      await shown.close();
    });
  });
}
