import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile, startWebhookReceiver, type WebhookReceiver } from '@messaging-gateway/testing';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Webhooks and events, with a receiver as a customer would write it. */
export function developers(at: () => AdminWorld): void {
  describe('developers', () => {
    const secret = 'a secret of the shop';
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      world = at();
      [ada, receiver] = await Promise.all([newPerson(world), startWebhookReceiver(secret)]);
      await linkProfile(world, ada.tenant, '4915112389001');
      shown = await visit(world, '/webhooks', { person: ada });
    }, 600_000);
    afterAll(() => Promise.all([shown?.close(), receiver?.stop()]));

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });

    it('make webhooks, with what is wrong at its field', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: 'No webhooks yet', exact: true }).waitFor();
      await button('Create webhook').first().click();
      const form = page.getByRole('dialog', { name: 'Create webhook', exact: true });
      const url = form.getByRole('textbox', { name: 'URL', exact: true });
      await url.fill('ftp://nowhere');
      await form.getByRole('checkbox', { name: 'message.received', exact: true }).check();
      await form.getByRole('checkbox', { name: 'message.failed', exact: true }).check();
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await url.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await url.fill(receiver.url);
      await form.getByRole('button', { name: 'Generate', exact: true }).click();
      const typed = form.getByRole('textbox', { name: 'Secret (optional)', exact: true });
      expect(await typed.inputValue()).toMatch(/^whsec_[\w+/]{32}$/);
      await typed.fill(secret);
      await form.getByRole('textbox', { name: 'Headers', exact: true }).fill('X-Shop: 42');
      await form.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await form.getByRole('code').textContent()).toMatch(/^curl[^]*"message.received","message.failed"/);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form.waitFor({ state: 'detached' });
      const table = page.getByRole('table', { name: 'Webhooks', exact: true });
      await table.getByRole('link', { name: receiver.url, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: receiver.url, exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    });

    it('send a test event, and say what came of it', async () => {
      const { page } = shown;
      await button('Send test event').click();
      await page.getByRole('status').filter({ hasText: 'The receiver answered 200' }).waitFor();
      expect(await receiver.waitFor(({ event }) => event === 'test')).toMatchObject({
        signatureValid: true,
        headers: { 'x-shop': '42' },
      });
      receiver.answerWith(500);
      await button('Send test event').click();
      await page.getByRole('status').filter({ hasText: 'was not taken: HTTP_500' }).waitFor();
      receiver.answerWith(200);
    });

    it('see deliveries, send one again, and the events of a time span', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: 'No deliveries yet', exact: true }).waitFor();
      await world.network.sendFromContact('4915112389009', { to: '4915112389001', text: 'Is it still there?' });
      await receiver.waitFor(({ event }) => event === 'message.received');
      await button('Refresh').click();
      const table = page.getByRole('table', { name: 'Deliveries', exact: true });
      const row = table.getByRole('row').filter({ hasText: 'message.received' });
      await row.filter({ hasText: 'Delivered' }).waitFor();
      await row.getByRole('button', { name: 'Redeliver', exact: true }).click();
      await expectDeliveries(2);
      await button('Replay').click();
      const form = page.getByRole('dialog', { name: 'Replay', exact: true });
      await form.getByRole('button', { name: 'Replay', exact: true }).click();
      await form.getByRole('alert').waitFor();
      const from = form.getByLabel('From', { exact: true });
      expect(await from.getAttribute('aria-invalid')).toBe('true');
      await from.fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 16));
      await form.getByRole('button', { name: 'Replay', exact: true }).click();
      await page.getByRole('status').filter({ hasText: '1 event is delivered again.' }).waitFor();
      await expectDeliveries(3);
      await page.getByRole('radio', { name: 'Failed', exact: true }).check();
      await page.getByRole('heading', { level: 2, name: 'No deliveries yet', exact: true }).waitFor();
      await page.getByRole('radio', { name: 'All', exact: true }).check();
      await row.waitFor();
      expect(await axeFaults(page)).toEqual([]);
    });
    const expectDeliveries = async (count: number) => {
      const ofMessages = () => receiver.deliveries.filter(({ event }) => event === 'message.received');
      await receiver.waitFor(() => ofMessages().length >= count);
      expect(new Set(ofMessages().map(({ id }) => id)).size).toBe(1);
    };

    it('are shown a new secret once, change a webhook, and switch it off', async () => {
      const { page } = shown;
      await button('Rotate secret').click();
      const form = page.getByRole('dialog', { name: 'Rotate secret', exact: true });
      await form.getByRole('button', { name: 'Rotate secret', exact: true }).click();
      const field = form.getByRole('textbox', { name: 'Secret', exact: true });
      await field.waitFor();
      expect([await field.inputValue(), await field.getAttribute('readonly')]).toEqual([
        expect.stringMatching(/^whsec_/),
        '',
      ]);
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await button('Edit').click();
      const edit = page.getByRole('dialog', { name: 'Edit', exact: true });
      expect(await edit.getByRole('textbox', { name: 'Headers', exact: true }).inputValue()).toBe('X-Shop: ********');
      await edit.getByRole('checkbox', { name: 'All events', exact: true }).check();
      await edit.getByRole('checkbox', { name: 'Enabled', exact: true }).uncheck();
      await edit.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status', { name: 'State', exact: true }).getByText('Disabled', { exact: true }).waitFor();
      const { items } = (await ada.tenant.call<{ items: object[] }>('GET', '/webhooks')).body;
      expect(items).toMatchObject([{ events: ['*'], enabled: false, headers: { 'X-Shop': '********' } }]);
    });

    it('look at events, the newest first, with what they say', async () => {
      const { page } = shown;
      await page.goto('/events');
      const table = page.getByRole('table', { name: 'Events', exact: true });
      const rows = table.getByRole('row').filter({ hasText: 'message.received' });
      await rows.first().waitFor();
      await world.network.sendFromContact('4915112389009', { to: '4915112389001', text: 'Hello <i>again</i>' });
      await page.getByRole('button', { name: /^Show \d+ newer events?$/ }).click();
      await rows.nth(1).waitFor();
      await rows.first().getByRole('button', { name: 'Show payload', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'message.received', exact: true });
      expect(await dialog.getByRole('code').textContent()).toContain('Hello <i>again</i>');
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('see webhooks on a small screen from right to left, and delete them', async () => {
      const { items } = (await ada.tenant.call<{ items: { id: string }[] }>('GET', '/webhooks')).body;
      const small = await visit(world, `/webhooks/${items[0]?.id}`, {
        person: ada,
        locale: 'ar',
        colorScheme: 'dark',
        viewport: { width: 320, height: 640 },
      });
      await small.page.getByRole('table').waitFor();
      expect([await axeFaults(small.page), await isTooWide(small.page)]).toEqual([[], false]);
      await small.page.goto('/events');
      await small.page.getByRole('table').waitFor();
      expect([await axeFaults(small.page), await isTooWide(small.page), small.faults]).toEqual([[], false, []]);
      await small.close();
      const { page } = shown;
      await page.goto('/webhooks');
      await button('Actions').click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No webhooks yet', exact: true }).waitFor();
      await page.goto('/webhooks/none');
      await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
      expect(shown.faults).toEqual([]);
    });
  });
}
