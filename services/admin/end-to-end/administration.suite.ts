import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTypebot, type FakeTypebot } from '@messaging-gateway/testing';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Settings with their tests, and what was done by whom. */
export function administration(at: () => AdminWorld): void {
  describe('administration', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    let typebot: FakeTypebot;
    beforeAll(async () => {
      world = at();
      [ada, typebot] = await Promise.all([newPerson(world), startTypebot()]);
      shown = await visit(world, '/settings', { person: ada });
    });
    afterAll(() => Promise.all([shown?.close(), typebot?.stop()]));

    const card = (name: string) => shown.page.getByRole('region', { name, exact: true });
    const field = (where: string, name: string) => card(where).getByRole('textbox', { name, exact: true });
    const press = (where: string, name: string) => card(where).getByRole('button', { name, exact: true }).click();
    const save = async (where: string): Promise<number> => {
      const answer = shown.page.waitForResponse((one) => one.request().method() === 'PUT');
      await press(where, 'Save');
      return (await answer).status();
    };

    it('keeps name and time zone, with what is wrong at its field', async () => {
      const zone = field('Organization', 'Time zone');
      await zone.fill('Mars/Olympus');
      await press('Organization', 'Save');
      await card('Organization')
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await zone.getAttribute('aria-invalid')).toBe('true');
      await zone.fill('Asia/Jakarta');
      expect(await save('Organization')).toBe(200);
      await shown.page.getByRole('status').filter({ hasText: 'Saved.' }).first().waitFor();
      expect((await ada.tenant.call('GET', '/organizations/current')).body).toMatchObject({ timezone: 'Asia/Jakarta' });
    });

    it('tries the mail server that stands in the fields, and keeps its password unseen', async () => {
      await field('Mail', 'Host').fill('127.0.0.1');
      await field('Mail', 'Port').fill('none');
      await press('Mail', 'Save');
      await card('Mail').getByRole('alert').waitFor();
      expect(await field('Mail', 'Port').getAttribute('aria-invalid')).toBe('true');
      await field('Mail', 'Port').fill('9');
      await press('Mail', 'Test');
      await card('Mail').getByRole('status').filter({ hasText: 'It failed.' }).waitFor();
      await card('Mail').getByLabel('Password', { exact: true }).fill('hunter2');
      await press('Mail', 'Save');
      await card('Mail').getByText('Kept; empty: stays as it is.', { exact: true }).waitFor();
      expect((await ada.tenant.call('GET', '/settings/smtp')).body).toMatchObject({ port: 9, hasPassword: true });
      expect(await shown.page.content()).not.toContain('hunter2');
      await card('Mail').getByRole('checkbox', { name: 'Remove what is kept: Password', exact: true }).check();
      expect(await save('Mail')).toBe(200);
      await card('Mail').getByText('There is none.', { exact: true }).waitFor();
      const left = { host: '127.0.0.1', port: 9, hasPassword: false };
      expect((await ada.tenant.call('GET', '/settings/smtp')).body).toMatchObject(left);
    });

    it('tries a bucket', async () => {
      await card('Storage').getByRole('combobox', { name: 'Kind', exact: true }).selectOption('s3');
      await field('Storage', 'Endpoint').fill('http://127.0.0.1:9');
      await field('Storage', 'Bucket').fill('media');
      await press('Storage', 'Test');
      await card('Storage').getByRole('status').filter({ hasText: 'It failed.' }).waitFor();
      expect(await save('Storage')).toBe(200);
      expect((await ada.tenant.call('GET', '/settings/storage')).body).toMatchObject({ type: 's3', bucket: 'media' });
    });

    it('names a bot, and starts a session of it', async () => {
      await field('Typebot', 'URL of the viewer').fill(typebot.url);
      await field('Typebot', 'Public id of the bot').fill(typebot.botId);
      await field('Typebot', 'Keywords').fill('menu, help');
      await press('Typebot', 'Show as curl');
      expect(await card('Typebot').getByRole('code').textContent()).toMatch(/^curl[^]*"keywords":\["menu","help"\]/);
      expect(await save('Typebot')).toBe(200);
      expect((await ada.tenant.call('GET', '/integrations/config')).body).toMatchObject({
        typebot: { trigger: { keywords: ['menu', 'help'] }, botId: typebot.botId },
      });
      await press('Typebot', 'Test');
      await card('Typebot').getByRole('status').filter({ hasText: 'It worked.' }).waitFor();
      expect(typebot.sessions).toHaveLength(1);
      await press('Chatwoot', 'Test');
      await card('Chatwoot').getByRole('status').filter({ hasText: 'It failed.' }).waitFor();
      expect(await axeFaults(shown.page)).toEqual([]);
    });

    it('says who did what, with the id of the request', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      const table = page.getByRole('table', { name: 'Audit', exact: true });
      const row = table.getByRole('row').filter({ hasText: 'settings.update_smtp' });
      await row.first().waitFor();
      await page.getByRole('combobox', { name: 'Action', exact: true }).selectOption('integration.update');
      await row.first().waitFor({ state: 'detached' });
      const entry = table.getByRole('row').filter({ hasText: 'integration.update' }).first();
      await entry.getByRole('button', { name: 'Details', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'integration.update', exact: true });
      await dialog.getByText('Request ID', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('table', { name: 'By action', exact: true }).getByText('settings.update_smtp').waitFor();
      await page.getByLabel('Until', { exact: true }).fill('2020-01-01T00:00');
      await page.getByRole('heading', { level: 2, name: 'No entries', exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      expect(shown.faults).toEqual([]);
    });

    it('fits on a small screen from right to left, in the dark', async () => {
      const small = await visit(world, '/settings', {
        person: ada,
        locale: 'ar',
        colorScheme: 'dark',
        viewport: { width: 320, height: 640 },
      });
      const { page } = small;
      await page.getByRole('textbox', { name: 'المعرّف العام للبوت', exact: true }).waitFor();
      expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      await page.goto('/audit');
      await page.getByRole('table').first().waitFor();
      expect([await axeFaults(page), await isTooWide(page), small.faults]).toEqual([[], false, []]);
      await small.close();
    });
  });
}
