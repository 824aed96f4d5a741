import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeFaults, isTooWide, newPerson, password, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** The page of the own account; and groups where there is no number yet. */
export function account(at: () => AdminWorld): void {
  describe('my account', () => {
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      ada = await newPerson(at());
      shown = await visit(at(), '/account', { person: ada });
    });

    it('has a new password, which ends other sessions, and says at the field what is wrong', async () => {
      const { page } = shown;
      const table = page.getByRole('table', { name: 'Sessions', exact: true });
      await table.getByRole('row').nth(2).waitFor();
      await page.getByRole('textbox', { name: 'Current password', exact: true }).fill(password);
      const next = page.getByRole('textbox', { name: 'New password', exact: true });
      await next.fill('short');
      const change = page.getByRole('button', { name: 'Change password', exact: true });
      await change.click();
      await page.getByRole('alert').waitFor();
      expect(await next.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await next.fill('another horse battery');
      await change.click();
      await page.getByRole('status').filter({ hasText: 'The new password holds.' }).waitFor();
      await table.getByRole('row').nth(2).waitFor({ state: 'detached' });
      expect((await ada.tenant.call('GET', '/auth/me')).status).toBe(401);
    });

    it('keeps preferences, and shows the code of a second factor', async () => {
      const { page } = shown;
      await page.getByRole('checkbox', { name: 'A message came in', exact: true }).uncheck();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
      await page.getByRole('button', { name: 'Enable two-factor', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Enable two-factor', exact: true });
      await dialog.getByRole('img', { name: 'QR code', exact: true }).waitFor();
      await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill('000000');
      await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.reload();
      expect(await page.getByRole('checkbox', { name: 'A message came in', exact: true }).isChecked()).toBe(false);
    });

    it('speaks another language from right to left, dark and small, at once and after a reload', async () => {
      const { page } = shown;
      await page.goto('/groups');
      await page.getByRole('heading', { level: 2, name: 'No profiles yet', exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.goto('/account');
      await page.getByRole('radio', { name: 'Dark', exact: true }).check();
      await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('ar');
      await page.getByRole('heading', { level: 1, name: 'حسابي', exact: true }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'حسابي', exact: true }).waitFor();
      await page.getByRole('table').waitFor();
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      expect(await isTooWide(page)).toBe(false);
      expect(await axeFaults(page)).toEqual([]);
      expect(shown.faults).toEqual([]);
      await shown.close();
    });
  });
}
