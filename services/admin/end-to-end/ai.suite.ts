import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Budget and knowledge; no provider is asked. */
export function artificialIntelligence(at: () => AdminWorld): void {
  describe('the AI page', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      await linkProfile(world, ada.tenant, '4915112385001');
      shown = await visit(world, '/ai', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });

    it('sets a budget, and says at the field what is wrong', async () => {
      const { page } = shown;
      await button('AI settings').click();
      const form = dialog('AI settings');
      const tokens = form.getByRole('textbox', { name: 'Tokens of a month (empty: no limit)', exact: true });
      await tokens.fill('many');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await tokens.fill('5000');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('0 of 5,000 tokens', { exact: true }).waitFor();
    });

    it('takes in texts and files, finds them, and forgets them', async () => {
      const { page } = shown;
      const table = page.getByRole('table', { name: 'Knowledge', exact: true });
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Add knowledge').click();
      const form = dialog('Add knowledge');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Delivery');
      await form.getByRole('textbox', { name: 'Text', exact: true }).fill('We deliver within two days.');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await table.getByRole('row').filter({ hasText: 'Delivery' }).filter({ hasText: 'Ready' }).waitFor();
      await button('Add knowledge').click();
      await form.getByRole('radio', { name: 'File', exact: true }).check();
      const file = { name: 'hours.md', mimeType: 'text/markdown', buffer: Buffer.from('# Hours\n\nWe open at nine.') };
      await form.getByLabel('File', { exact: true }).last().setInputFiles(file);
      await form.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await form.getByRole('code').textContent()).toMatch(/^curl[^]*file=@hours.md/);
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await table.getByRole('row').filter({ hasText: 'hours.md' }).waitFor();
      await page.getByRole('textbox', { name: 'Question', exact: true }).fill('open nine');
      await button('Search').click();
      await page
        .getByRole('status', { name: 'Found', exact: true })
        .getByText(/We open at nine\./)
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, '/ai', 'Delivery');
      await table
        .getByRole('row')
        .filter({ hasText: 'Delivery' })
        .getByRole('button', { name: 'Actions', exact: true })
        .click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await table.getByRole('row').filter({ hasText: 'Delivery' }).waitFor({ state: 'detached' });
      expect(shown.faults).toEqual([]);
    });
  });
}
