import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** What answers by itself: auto-replies and flows. */
export function answering(at: () => AdminWorld): void {
  describe('auto-replies and flows', () => {
    const [own, customer] = ['4915112384001', '4915112384002'];
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    let profileId: string;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      ({ profileId } = await linkProfile(world, ada.tenant, own));
      shown = await visit(world, '/auto-replies', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const row = (text: string) => shown.page.getByRole('row').filter({ hasText: text });
    const act = async (text: string, name: string) => {
      await row(text).getByRole('button', { name: 'Actions', exact: true }).click();
      await shown.page.getByRole('menuitem', { name, exact: true }).click();
    };
    const confirm = () =>
      shown.page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();

    it('keeps auto-replies, and says at the field what is wrong', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Create auto-reply').first().click();
      const form = dialog('Create auto-reply');
      await form.getByRole('textbox', { name: 'Answer', exact: true }).fill('From 9 to 5');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      const keywords = form.getByRole('textbox', { name: 'Keywords', exact: true });
      expect(await keywords.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await keywords.fill('hours, open');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await row('hours, open').filter({ hasText: 'Enabled' }).waitFor();
      await act('hours, open', 'Edit');
      await dialog('Edit').getByRole('textbox', { name: 'Answer', exact: true }).fill('From 9 to 6');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await row('From 9 to 6').waitFor();
      await act('hours, open', 'Disable');
      await row('hours, open').filter({ hasText: 'Disabled' }).waitFor();
      await button('Set URL').click();
      await dialog('Set URL').getByRole('textbox', { name: 'URL', exact: true }).fill('http://127.0.0.1:9/answers');
      await dialog('Set URL').getByRole('checkbox', { name: 'It answers', exact: true }).uncheck();
      await dialog('Set URL').getByLabel('Secret (optional)', { exact: true }).fill('a secret of the URL');
      await dialog('Set URL').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('http://127.0.0.1:9/answers', { exact: true }).waitFor();
      await page.getByText('Signed', { exact: true }).waitFor();
      await button('Set URL').click();
      await dialog('Set URL')
        .getByRole('checkbox', { name: 'Remove what is kept: Secret (optional)', exact: true })
        .check();
      await dialog('Set URL').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Signed', { exact: true }).waitFor({ state: 'detached' });
      expect((await ada.tenant.call('GET', `/autoreply/webhook-reply/${profileId}`)).body).toMatchObject({
        url: 'http://127.0.0.1:9/answers',
        enabled: false,
        hasSecret: false,
      });
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, '/auto-replies', 'hours, open');
      await act('hours, open', 'Delete');
      await confirm();
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
    });

    it('makes a flow of conditions and steps, with what is wrong at its field', async () => {
      const { page } = shown;
      await page.goto('/automation');
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await button('Create flow').first().click();
      const form = dialog('Create flow');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Prices');
      await form.getByRole('textbox', { name: 'Words', exact: true }).fill('price, how much');
      await form.getByLabel('Secret (optional)', { exact: true }).fill('a secret of the flow');
      await form.getByRole('button', { name: 'Add condition', exact: true }).click();
      const condition = form.getByRole('group', { name: 'Condition 1', exact: true });
      await condition.getByRole('textbox', { name: 'Tag', exact: true }).fill('no-answers');
      await condition.getByRole('checkbox', { name: 'It must not hold', exact: true }).check();
      const step = (number: number) => form.getByRole('group', { name: `Step ${number}`, exact: true });
      await form.getByRole('button', { name: 'Add step', exact: true }).click();
      await step(2).getByRole('combobox', { name: 'What', exact: true }).selectOption('add_tag');
      await step(2).getByRole('textbox', { name: 'Tag', exact: true }).fill('asked');
      await step(2).getByRole('button', { name: 'Move up', exact: true }).click();
      const message = step(2).getByRole('textbox', { name: 'Message', exact: true });
      await message.fill('{{nobody}} knows');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await message.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await message.fill('Hello {{name|friend}}, <b>9</b> each');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Prices', exact: true }).waitFor();
      await page.getByText('1. Add a tag · asked', { exact: true }).waitFor();
    });

    it('tests it without sending, answers, counts, and shows what each step did', async () => {
      const { page } = shown;
      const message = page.getByRole('textbox', { name: 'Message', exact: true });
      const verdict = page.getByRole('status', { name: 'Test', exact: true });
      await message.fill('Hello?');
      await button('Test').click();
      await verdict.getByText('It would keep still.', { exact: true }).waitFor();
      await message.fill('What is the Price?');
      await button('Test').click();
      await verdict.getByText('It would answer.', { exact: true }).waitFor();
      await verdict.getByText('Send a message · Hello friend, <b>9</b> each', { exact: true }).waitFor();
      expect(await world.network.messages(customer)).toEqual([]);
      expect(await axeFaults(page)).toEqual([]);
      await world.network.sendFromContact(customer, { to: own, text: 'how much is it?' });
      const runs = page.getByRole('table', { name: 'Runs', exact: true });
      await runs.getByRole('row').filter({ hasText: 'how much is it?' }).filter({ hasText: 'Completed' }).waitFor();
      expect((await world.network.messages(customer)).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Hello .*, <b>9<\/b> each$/),
      ]);
      await runs.getByRole('button', { name: 'Show', exact: true }).click();
      const steps = dialog('Run').getByRole('table', { name: 'Steps', exact: true });
      await steps.getByRole('row').filter({ hasText: 'Done' }).nth(1).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, new URL(page.url()).pathname, 'asked');
    });

    it('edits it, puts flows in order, asks who would answer, and gives a chat back', async () => {
      const { page } = shown;
      await dialog('Run').getByRole('button', { name: 'Close', exact: true }).click();
      const kept = async () => (await ada.tenant.call('GET', new URL(page.url()).pathname)).body;
      expect(await kept()).toMatchObject({ name: 'Prices', hasSecret: true });
      await button('Edit').click();
      await dialog('Edit').getByRole('textbox', { name: 'Name', exact: true }).fill('Offers');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Offers', exact: true }).waitFor();
      expect(await kept()).toMatchObject({ name: 'Offers', hasSecret: true });
      await button('Edit').click();
      await dialog('Edit')
        .getByRole('checkbox', { name: 'Remove what is kept: Secret (optional)', exact: true })
        .check();
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await dialog('Edit').waitFor({ state: 'detached' });
      expect(await kept()).toMatchObject({ name: 'Offers', hasSecret: false });
      await ada.tenant.call('POST', '/automation', {
        profileId,
        name: 'Second',
        trigger: { type: 'keyword', value: ['price'] },
        action: { type: 'stop' },
      });
      const chats = (await ada.tenant.call<{ items: { id: string }[] }>('GET', '/conversations')).body.items;
      await ada.tenant.call('PUT', `/conversations/${chats[0]?.id}/handover`);
      await page.goto('/automation');
      await act('Second', 'Move up');
      await row('Second').getByRole('cell', { name: '1', exact: true }).waitFor();
      await button('Who would answer').click();
      const asked = dialog('Who would answer');
      await asked.getByRole('textbox', { name: 'Message', exact: true }).fill('price');
      await asked.getByRole('button', { name: 'Ask', exact: true }).click();
      const candidates = asked.getByRole('table', { name: 'Candidates', exact: true });
      await candidates.getByRole('row').filter({ hasText: 'Second' }).filter({ hasText: 'Answers' }).waitFor();
      await candidates.getByRole('row').filter({ hasText: 'Offers' }).filter({ hasText: 'before it' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await asked.getByRole('button', { name: 'Close', exact: true }).click();
      await button('Give back to automation').click();
      await button('Give back to automation').waitFor({ state: 'detached' });
      await act('Second', 'Disable');
      await row('Second').filter({ hasText: 'Disabled' }).waitFor();
      await expectSmallAndDark(world, ada, '/automation', 'Second');
      await act('Second', 'Delete');
      await confirm();
      await row('Second').waitFor({ state: 'detached' });
      expect(await axeFaults(page)).toEqual([]);
      expect(shown.faults).toEqual([]);
    });
  });
}
