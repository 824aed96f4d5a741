import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Messages for many rows, and messages for later. */
export function sending(at: () => AdminWorld): void {
  describe('bulk and scheduled', () => {
    const own = '4915112383001';
    const customers = ['4915112383002', '4915112383003'] as const;
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      await linkProfile(world, ada.tenant, own);
      shown = await visit(world, '/bulk', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const textsOf = async (phone: string) => (await world.network.messages(phone)).map(({ text }) => text);
    const state = (word: string) =>
      shown.page.getByRole('status', { name: 'State', exact: true }).getByText(word, { exact: true }).waitFor();
    const write = async (rows: string, message: string, delay: string) => {
      const form = dialog('New bulk send');
      await form.getByRole('textbox', { name: 'Rows', exact: true }).fill(rows);
      await form.getByRole('textbox', { name: 'Message', exact: true }).fill(message);
      await form.getByRole('textbox', { name: 'Delay between messages (ms)', exact: true }).fill(delay);
      return form;
    };

    it('says what a bulk send lacks, and shows the text of the first row', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('New bulk send').first().click();
      const form = await write(`number,name\n${customers[0]},Ada`, 'Hello {name}, {order}', '0');
      await form.getByText('There is no column phone.', { exact: true }).waitFor();
      await form.getByText('No column fills {order}.', { exact: true }).waitFor();
      await form.getByRole('combobox', { name: 'Profile', exact: true }).selectOption({ index: 1 });
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      const rows = form.getByRole('textbox', { name: 'Rows', exact: true });
      expect(await rows.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await write(`phone,name\n${customers[0]},"Ada, <b>first</b>"\n+${customers[1]},Bob`, 'Hello {name}', '0');
      await form
        .getByRole('region', { name: 'Preview of the first row', exact: true })
        .getByText('Hello Ada, <b>first</b>', { exact: true })
        .waitFor();
      await form.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await form.getByRole('code').textContent()).toMatch(/^curl[^]*bulk\/send[^]*"variables"/);
    });

    it('sends each row its own text, and shows what became of it', async () => {
      const { page } = shown;
      await dialog('New bulk send').getByRole('button', { name: 'Send', exact: true }).click();
      await page.waitForURL(/\/bulk\/[\w-]+$/);
      await state('Completed');
      const progress = page.getByRole('progressbar', { name: 'Progress', exact: true });
      expect(await progress.getAttribute('value')).toBe('2');
      const results = page.getByRole('table', { name: 'Results', exact: true });
      expect(await results.getAttribute('aria-rowcount')).toBe('3');
      await results.getByRole('row').filter({ hasText: customers[1] }).filter({ hasText: 'Sent' }).waitFor();
      expect(await Promise.all(customers.map(textsOf))).toEqual([['Hello Ada, <b>first</b>'], ['Hello Bob']]);
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, new URL(page.url()).pathname, customers[1]);
      await expectSmallAndDark(world, ada, '/bulk', 'مكتمل');
    });

    it('cancels a batch: what has not gone out stays here', async () => {
      const { page } = shown;
      await page.goto('/bulk');
      await button('New bulk send').first().click();
      const form = await write(`phone\n${customers[0]}\n${customers[1]}`, 'Slowly', '60000');
      await form.getByRole('combobox', { name: 'Profile', exact: true }).selectOption({ index: 1 });
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('table', { name: 'Results', exact: true }).getByText('Sent', { exact: true }).waitFor();
      await button('Cancel batch').click();
      const asked = page.getByRole('alertdialog', { name: 'Cancel batch', exact: true });
      await asked.getByRole('button', { name: 'Cancel batch', exact: true }).click();
      await state('Cancelled');
      expect(await textsOf(customers[1])).toEqual(['Hello Bob']);
      await page.goto('/bulk/none');
      await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
    });

    it('schedules a message, changes and cancels it', async () => {
      const { page } = shown;
      await page.goto('/scheduled');
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Schedule message').first().click();
      const form = dialog('Schedule message');
      await form.getByRole('textbox', { name: 'Phone number', exact: true }).fill('nobody');
      await form.getByRole('textbox', { name: 'Message', exact: true }).fill('See you at noon');
      const time = form.getByLabel('Time', { exact: true });
      await time.fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16));
      await form.getByRole('button', { name: 'Schedule', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      const to = form.getByRole('textbox', { name: 'Phone number', exact: true });
      expect(await to.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await to.fill(customers[0]);
      await form.getByRole('button', { name: 'Schedule', exact: true }).click();
      const table = page.getByRole('table', { name: 'Scheduled', exact: true });
      const row = (text: string) => table.getByRole('row').filter({ hasText: text });
      await row('See you at noon').getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
      await dialog('Edit').getByRole('textbox', { name: 'Message', exact: true }).fill('See you at one');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await row('See you at noon').filter({ hasText: 'Cancelled' }).waitFor();
      await row('See you at one').filter({ hasText: 'Waiting' }).getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Cancel message', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel message', exact: true }).click();
      await row('See you at one').filter({ hasText: 'Cancelled' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, '/scheduled', customers[0]);
    });

    it('shows one that went out at its time', async () => {
      const { page } = shown;
      const { items } = (await ada.tenant.call<{ items: { id: string }[] }>('GET', '/profiles')).body;
      // The time must be in the future when the request arrives, however busy the machine is.
      await eventually(async () => {
        const answer = await ada.tenant.call('POST', '/messages/schedule', {
          profileId: items[0]?.id,
          to: customers[1],
          type: 'text',
          content: { text: 'Now' },
          scheduledAt: new Date(Date.now() + 2_000).toISOString(),
        });
        return answer.status === 201 || undefined;
      });
      await page.goto('/scheduled');
      const table = page.getByRole('table', { name: 'Scheduled', exact: true });
      await table.getByRole('row').filter({ hasText: 'Now' }).filter({ hasText: 'Sent' }).waitFor();
      await eventually(async () => (await textsOf(customers[1])).includes('Now') || undefined);
      expect(shown.faults).toEqual([]);
    });
  });
}
