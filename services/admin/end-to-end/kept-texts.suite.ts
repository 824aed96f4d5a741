import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Texts that are kept for writing them often: quick replies and templates. */
export function keptTexts(at: () => AdminWorld): void {
  describe('quick replies and templates', () => {
    const [own, customer] = ['4915112382001', '4915112382002'];
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      const { profileId } = await linkProfile(world, ada.tenant, own);
      await ada.tenant.call('POST', '/messages/text', { profileId, to: customer, text: 'Good morning' });
      shown = await visit(world, '/quick-replies', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const table = (name: string) => shown.page.getByRole('table', { name, exact: true });
    const act = async (row: string, name: string) => {
      await shown.page
        .getByRole('row')
        .filter({ hasText: row })
        .getByRole('button', { name: 'Actions', exact: true })
        .click();
      await shown.page.getByRole('menuitem', { name, exact: true }).click();
    };

    it('creates a quick reply, says what is wrong at its field, and changes it', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Create quick reply').first().click();
      const form = dialog('Create quick reply');
      const shortcut = form.getByRole('textbox', { name: 'Shortcut', exact: true });
      await shortcut.fill('two words');
      await form.getByRole('textbox', { name: 'Title', exact: true }).fill('Opening hours');
      await form.getByRole('textbox', { name: 'Message', exact: true }).fill('We open at nine.');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await shortcut.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await shortcut.fill('hours');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await table('Quick replies').getByRole('row').filter({ hasText: 'We open at nine.' }).waitFor();
      await act('hours', 'Edit');
      await dialog('Edit').getByRole('textbox', { name: 'Message', exact: true }).fill('We open at ten.');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await table('Quick replies').getByRole('row').filter({ hasText: 'We open at ten.' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, '/quick-replies', 'hours');
    });

    it('is written into a message by a slash in the inbox', async () => {
      const { page } = shown;
      await page.goto('/inbox');
      await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').first().click();
      const message = page.getByRole('textbox', { name: 'Message', exact: true });
      await message.fill('/hou');
      await page
        .getByRole('option', { name: /Opening hours/ })
        .first()
        .waitFor();
      await message.press('Enter');
      expect(await message.inputValue()).toBe('We open at ten.');
      await message.press('Enter');
      await page.getByRole('article').filter({ hasText: 'We open at ten.' }).waitFor();
      expect(await message.inputValue()).toBe('');
    });

    it('is deleted', async () => {
      await shown.page.goto('/quick-replies');
      await act('hours', 'Delete');
      await shown.page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await shown.page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
    });

    it('keeps templates: their gaps named in a preview, their uses counted', async () => {
      const { page } = shown;
      await page.goto('/templates');
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Create template').first().click();
      const form = dialog('Create template');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form.getByRole('alert').first().waitFor();
      const name = form.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      await name.fill('Welcome');
      await form.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello {{name|friend}}: order {{order}}');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await table('Templates').getByRole('row').filter({ hasText: 'Welcome' }).waitFor();
      await act('Welcome', 'Preview');
      const preview = dialog('Preview');
      await preview.getByRole('status').getByText('Missing: order', { exact: true }).waitFor();
      await preview.getByText('Hello friend: order {{order}}', { exact: true }).waitFor();
      await preview.getByRole('textbox', { name: 'order', exact: true }).fill('<b>7</b>');
      await preview.getByRole('button', { name: 'Preview', exact: true }).click();
      await preview.getByText('Hello friend: order <b>7</b>', { exact: true }).waitFor();
      await preview.getByRole('status').getByText('Nothing is missing.', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await preview.getByRole('button', { name: 'Close', exact: true }).click();

      const { items } = (await ada.tenant.call<{ items: { id: string }[] }>('GET', '/templates')).body;
      const profiles = (await ada.tenant.call<{ items: { id: string }[] }>('GET', '/profiles')).body.items;
      await ada.tenant.call('POST', '/messages/template', {
        profileId: profiles[0]?.id,
        to: customer,
        templateId: items[0]?.id,
        variables: { order: '7' },
      });
      await eventually(async () => {
        const { body } = await ada.tenant.call<{ usageCount: number }>('GET', `/templates/${items[0]?.id}`);
        return body.usageCount === 1 || undefined;
      });
      await act('Welcome', 'Duplicate');
      await table('Templates').getByRole('row').filter({ hasText: 'Welcome (copy)' }).waitFor();
      const used = table('Templates').getByRole('row').filter({ hasNotText: 'copy' }).filter({ hasText: 'Welcome' });
      await used.getByRole('cell', { name: '1', exact: true }).waitFor();
      await expectSmallAndDark(world, ada, '/templates', 'Welcome');
    });

    it('edits and deletes them', async () => {
      const { page } = shown;
      await act('Welcome (copy)', 'Edit');
      const form = dialog('Edit');
      await form.getByRole('combobox', { name: 'Type', exact: true }).selectOption('poll');
      await form.getByRole('textbox', { name: 'Question', exact: true }).fill('When, {{name}}?');
      await form.getByRole('textbox', { name: 'Options', exact: true }).fill('Monday\nTuesday');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Meeting');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await table('Templates').getByRole('row').filter({ hasText: 'Meeting' }).filter({ hasText: 'Poll' }).waitFor();
      await act('Meeting', 'Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await table('Templates').getByRole('row').filter({ hasText: 'Meeting' }).waitFor({ state: 'detached' });
      expect(await axeFaults(page)).toEqual([]);
      expect(shown.faults).toEqual([]);
    });
  });
}
