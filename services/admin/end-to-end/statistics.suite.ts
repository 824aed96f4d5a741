import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile } from '@messaging-gateway/testing';
import { expectSmall } from './looks.ts';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** What is counted, drawn and listed. */
export function statistics(at: () => AdminWorld): void {
  describe('statistics', () => {
    const phone = '4915112400001';
    const contact = '4915112400002';
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      const { profileId } = await linkProfile(world, ada.tenant, phone);
      await ada.tenant.call('POST', '/contacts', { profileId, phone: contact, name: 'Grace', tags: ['=vip', 'new'] });
      await world.network.sendFromContact(contact, { to: phone, text: 'How much?' });
      await eventually(async () => (await ada.tenant.call<{ items: object[] }>('GET', '/conversations')).body.items[0]);
      await ada.tenant.call('POST', '/messages/text', { profileId, to: `+${contact}`, text: 'Nothing' });
      await eventually(async () => {
        const { body } = await ada.tenant.call<{ count: number }>('GET', '/statistics/response-time');
        return body.count === 1 || undefined;
      });
      shown = await visit(world, '/statistics', { person: ada, timezoneId: 'Asia/Jakarta' });
    }, 600_000);
    afterAll(() => shown?.close());

    const table = (name: string) => shown.page.getByRole('table', { name, exact: true });
    const cells = async (name: string, row: string) => {
      const found = table(name).getByRole('row').filter({ hasText: row }).getByRole('cell');
      await found.first().waitFor();
      return found.allTextContents();
    };

    it('are drawn, and listed as tables beside that', async () => {
      const { page } = shown;
      for (const name of ['Messages', 'Response times', 'Contacts', 'Broadcasts', 'Automations', 'Profiles'])
        await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
      await page.getByRole('img', { name: 'Messages over time', exact: true }).waitFor();
      const rows = table('Messages over time').getByRole('row');
      await rows.last().waitFor();
      expect(await rows.count()).toBe(31);
      expect(await rows.last().getByRole('cell').allTextContents()).toEqual(['1', '1']);
      expect((await cells('Messages by type', 'Text')).slice(0, 1)).toEqual(['2']);
      expect((await cells('Messages by state', 'Received')).slice(0, 1)).toEqual(['1']);
      await table('Response times by profile').getByRole('link').waitFor();
      await table('Top tags').getByRole('row').filter({ hasText: '=vip' }).waitFor();
      expect((await cells('Top tags', '=vip')).slice(0, 1)).toEqual(['1']);
      expect(await axeFaults(page)).toEqual([]);
    });

    it('are saved as CSV, without formulas', async () => {
      const { page } = shown;
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV of Top tags', exact: true }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe('Top tags.csv');
      const lines = readFileSync(await saved.path(), 'utf8').split('\r\n');
      expect([lines[0], lines.slice(1, 3).toSorted()]).toEqual(['\uFEFFTag,Count', ["'=vip,1", 'new,1']]);
    });

    it('are of the period, the zone and the steps that are asked for, which the address keeps', async () => {
      const { page } = shown;
      await page.getByRole('combobox', { name: 'Granularity', exact: true }).selectOption('Week');
      await eventually(async () => (await table('Messages over time').getByRole('row').count()) < 8 || undefined);
      const to = page.getByLabel('To', { exact: true });
      await page.getByRole('combobox', { name: 'Time zone', exact: true }).selectOption('UTC');
      const last = await to.inputValue();
      await to.fill('2020-01-01');
      await page
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      await page.waitForURL(/timezone=UTC/);
      expect(new URL(page.url()).searchParams.get('granularity')).toBe('week');
      await to.fill(last);
      await page.reload();
      expect(await page.getByRole('combobox', { name: 'Granularity', exact: true }).inputValue()).toBe('week');
      await table('Messages over time').waitFor();
    });

    it('stand on the overview once there was a message', async () => {
      const { page } = shown;
      await page.goto('/');
      await table('Messages of the last 14 days').waitFor();
      const rows = table('Messages of the last 14 days').getByRole('row');
      expect(await rows.count()).toBe(15);
      expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
    });

    it.each(['/', '/statistics'])('%s is accessible in the dark, and at 320 px from right to left', async (path) => {
      await shown.page.emulateMedia({ colorScheme: 'dark' });
      await shown.page.goto(path);
      await shown.page.getByRole('table').first().waitFor();
      expect(await axeFaults(shown.page)).toEqual([]);
      await expectSmall(world, ada, path, { colorScheme: 'light' });
      expect(shown.faults).toEqual([]);
    });
  });
}
