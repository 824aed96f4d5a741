import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** One message for many people, from the draft to the phones. */
export function broadcasts(at: () => AdminWorld): void {
  describe('broadcasts', () => {
    const sender = '4915112380001';
    const customers = ['4915112380002', '4915112380003'];
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      const { profileId } = await linkProfile(world, ada.tenant, sender);
      for (const phone of customers)
        await ada.tenant.call('POST', '/contacts', { profileId, phone, name: `Customer ${phone.at(-1)}` });
      shown = await visit(world, '/broadcasts', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (role: 'dialog' | 'alertdialog', name: string) => shown.page.getByRole(role, { name, exact: true });
    const state = (word: string) =>
      shown.page.getByRole('status', { name: 'State', exact: true }).getByText(word, { exact: true }).waitFor();

    it('says what to do while there is none, and what is wrong with a draft', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Create broadcast').first().click();
      const form = dialog('dialog', 'Create broadcast');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await form.getByRole('textbox', { name: 'Name', exact: true }).getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
    });

    it('drafts, counts the recipients before anything goes out, schedules', async () => {
      const { page } = shown;
      const form = dialog('dialog', 'Create broadcast');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Winter sale');
      await form.getByRole('combobox', { name: 'Profile', exact: true }).selectOption({ index: 1 });
      await form.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello {{name}}, <b>sale</b>');
      await form.getByRole('textbox', { name: 'Least delay (ms)', exact: true }).fill('0');
      await form.getByRole('textbox', { name: 'Longest delay (ms)', exact: true }).fill('0');
      await form.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await form.getByRole('code').textContent()).toMatch(/^curl[^]*Winter sale/);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Winter sale', exact: true }).waitFor();
      expect(await page.title()).toMatch(/^Winter sale/);
      await page.getByText('2 recipients to come', { exact: true }).waitFor();
      await state('Draft');
      await button('Edit').click();
      const edit = dialog('dialog', 'Edit');
      await edit.getByRole('textbox', { name: 'Least delay (ms)', exact: true }).fill('many');
      await edit.getByRole('button', { name: 'Save', exact: true }).click();
      await edit
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await edit.getByRole('textbox', { name: 'Least delay (ms)', exact: true }).fill('0');
      await edit.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring sale');
      await edit.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Spring sale', exact: true }).waitFor();
      await button('Schedule').click();
      const times = dialog('dialog', 'Schedule');
      const time = times.getByLabel('Time', { exact: true });
      await time.fill('2099-01-01T10:00');
      await times.getByRole('button', { name: 'Schedule', exact: true }).click();
      await times.getByText('must be within 365 days', { exact: true }).waitFor();
      expect(await time.getAttribute('aria-invalid')).toBe('true');
      await time.fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16));
      await times.getByRole('button', { name: 'Schedule', exact: true }).click();
      await state('Scheduled');
      expect(await world.network.messages(customers[0] ?? '')).toEqual([]);
      expect(await axeFaults(page)).toEqual([]);
    });

    it('starts, and each phone gets its own text', async () => {
      const { page } = shown;
      await button('Start').click();
      await dialog('alertdialog', 'Start').getByRole('button', { name: 'Start', exact: true }).click();
      await state('Completed');
      const texts = await Promise.all(customers.map((phone) => world.network.messages(phone)));
      expect(texts.map((all) => all.map(({ text }) => text))).toEqual([
        ['Hello Customer 2, <b>sale</b>'],
        ['Hello Customer 3, <b>sale</b>'],
      ]);
      const table = page.getByRole('table', { name: 'Recipients', exact: true });
      await table.getByRole('row').filter({ hasText: 'Customer 3' }).filter({ hasText: 'Sent' }).waitFor();
    });

    it('pauses, goes on, is cancelled and deleted', async () => {
      const { page } = shown;
      const { items } = (await ada.tenant.call<{ items: { profileId: string }[] }>('GET', '/broadcast')).body;
      const made = await ada.tenant.call<{ id: string }>('POST', '/broadcast', {
        profileId: items[0]?.profileId,
        name: 'Slow one',
        message: { type: 'text', text: 'Slowly' },
        recipients: { type: 'all' },
        settings: { delayMin: 600_000, delayMax: 600_000 },
      });
      await ada.tenant.call('POST', `/broadcast/${made.body.id}/start`);
      await page.goto('/broadcasts');
      const table = page.getByRole('table', { name: 'Broadcasts', exact: true });
      await table.getByRole('link', { name: 'Slow one', exact: true }).click();
      await state('Running');
      await button('Pause').click();
      await state('Paused');
      await button('Resume').click();
      await state('Running');
      await button('Cancel broadcast').click();
      await dialog('alertdialog', 'Cancel broadcast')
        .getByRole('button', { name: 'Cancel broadcast', exact: true })
        .click();
      await state('Cancelled');
      await button('Delete broadcast').click();
      const removal = dialog('alertdialog', 'Delete broadcast');
      await removal.getByRole('textbox', { name: 'Type the name to confirm', exact: true }).fill('Slow one');
      await removal.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.waitForURL(/\/broadcasts$/);
      await table.getByRole('link', { name: 'Slow one', exact: true }).waitFor({ state: 'detached' });
      expect(await table.getAttribute('aria-rowcount')).toBe('2');
      await page.goto('/broadcasts/none');
      await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
    });

    it('says the same in two ways, which a change of its name leaves alone, and counts what became of each', async () => {
      const { page } = shown;
      const { items } = (await ada.tenant.call<{ items: { profileId: string }[] }>('GET', '/broadcast')).body;
      const variants = [
        { name: 'Brief <i>', text: 'Sale, <b>now</b>' },
        { name: 'Kind', text: 'Dear {{name}}, there is a sale' },
      ];
      const made = await ada.tenant.call<{ id: string }>('POST', '/broadcast', {
        profileId: items[0]?.profileId,
        name: 'Both ways',
        message: { type: 'text', variants },
        recipients: { type: 'all' },
        settings: { delayMin: 0, delayMax: 0 },
      });
      await page.goto(`/broadcasts/${made.body.id}`);
      await page.getByText('Sale, <b>now</b> Dear {{name}}, there is a sale', { exact: true }).waitFor();
      await button('Edit').click();
      await dialog('dialog', 'Edit').getByRole('textbox', { name: 'Name', exact: true }).fill('Two ways');
      await dialog('dialog', 'Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Two ways', exact: true }).waitFor();
      const kept = await ada.tenant.call('GET', `/broadcast/${made.body.id}`);
      expect(kept.body).toMatchObject({ name: 'Two ways', message: { variants } });
      await button('Start').click();
      await dialog('alertdialog', 'Start').getByRole('button', { name: 'Start', exact: true }).click();
      await state('Completed');
      const rows = page.getByRole('table', { name: 'Variants', exact: true }).getByRole('row');
      const sent = await eventually(async () => {
        const counts = await Promise.all(
          variants.map(({ name }) => rows.filter({ hasText: name }).getByRole('cell').nth(1).textContent()),
        );
        return counts.reduce((sum, count) => sum + Number(count), 0) === customers.length ? counts : undefined;
      });
      const texts = (await Promise.all(customers.map((phone) => world.network.messages(phone)))).map(
        (all) => all.at(-1)?.text ?? '',
      );
      expect(sent.map(Number)).toEqual([
        texts.filter((text) => text === 'Sale, <b>now</b>').length,
        texts.filter((text) => /^Dear Customer \d, there is a sale$/.test(text)).length,
      ]);
      expect(await axeFaults(page)).toEqual([]);
    });

    it('is accessible in the dark and from right to left at 320 px', async () => {
      await expectSmallAndDark(world, ada, new URL(shown.page.url()).pathname, 'Two ways');
      expect(shown.faults).toEqual([]);
    });
  });
}
