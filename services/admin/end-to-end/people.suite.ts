import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** What is asked of a linked phone about people: groups, numbers, its address book; and who is not to be written to. */
export function people(at: () => AdminWorld): void {
  describe('people of a phone', () => {
    const own = '4915112387001';
    const [anna, ben, carla, absent] = ['4915112387002', '4915112387003', '4915112387004', '4915112387099'] as const;
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    let profileId: string;

    beforeAll(async () => {
      world = at();
      const { network } = world;
      ada = await newPerson(world);
      for (const phone of [anna, ben, carla]) await network.createPhone({ phone });
      await network.saveName(own, { contact: anna, name: 'Anna of the book' });
      ({ profileId } = await linkProfile(world, ada.tenant, own));
      await network.configureContact(carla, { refuseGroups: 403 });
      await network.configureContact(absent, { exists: false });
      shown = await visit(world, '/groups', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const table = (name: string) => shown.page.getByRole('table', { name, exact: true });
    const row = (where: string, text: string) => table(where).getByRole('row').filter({ hasText: text });
    const act = async (text: string, name: string) => {
      await row('Participants', text).getByRole('button', { name: 'Actions', exact: true }).click();
      await shown.page.getByRole('menuitem', { name, exact: true }).click();
    };

    it('are made a group, and each says what became of it', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: 'No groups yet', exact: true }).waitFor();
      await button('Create group').click();
      const form = dialog('Create group');
      await form.getByRole('textbox', { name: 'Participants', exact: true }).fill(`${anna}\n${carla}`);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      const name = form.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      await name.fill('Choir <b>');
      await form.getByRole('textbox', { name: 'Description', exact: true }).fill('On Tuesdays');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await row('Results', anna).filter({ hasText: 'Done' }).waitFor();
      await row('Results', carla).filter({ hasText: 'Refused (403)' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('link', { name: 'Open the group', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Choir <b>', exact: true }).waitFor();
      await page.getByText('On Tuesdays', { exact: true }).waitFor();
    });

    it('are let into it, made admin, and taken out', async () => {
      const { page } = shown;
      await button('Add participants').click();
      const form = dialog('Add participants');
      await form.getByRole('textbox', { name: 'Participants', exact: true }).fill(`+${ben}, +${carla}`);
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await row('Results', ben).filter({ hasText: 'Done' }).waitFor();
      await row('Results', carla).filter({ hasText: 'Refused (403)' }).waitFor();
      await row('Participants', ben).waitFor();
      await act(ben, 'Make admin');
      await row('Participants', ben).filter({ hasText: 'Admin' }).waitFor();
      await act(ben, 'Take admin away');
      await row('Participants', ben).filter({ hasText: 'Member' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await act(ben, 'Remove');
      const asking = page.getByRole('alertdialog', { name: 'Remove', exact: true });
      expect(await axeFaults(page)).toEqual([]);
      await asking.getByRole('button', { name: 'Delete', exact: true }).click();
      await row('Participants', ben).waitFor({ state: 'detached' });
      await row('Results', ben).filter({ hasText: 'Done' }).waitFor();
    });

    it('are invited by a link that is taken back, and left', async () => {
      const { page } = shown;
      await button('Invite link').click();
      const link = page.getByRole('textbox', { name: 'Invite link', exact: true });
      const before = await link.inputValue();
      expect(before).toMatch(/^https:\/\/chat\.whatsapp\.com\/\w+/);
      await button('Revoke link').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link', exact: true }).click();
      await eventually(async () => ((await link.inputValue()) === before ? undefined : true));
      await button('Edit').click();
      await dialog('Edit').getByRole('textbox', { name: 'Name', exact: true }).fill('Band');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Band', exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await expectSmallAndDark(world, ada, new URL(page.url()).pathname, anna);
      await button('Leave group').click();
      const asking = page.getByRole('alertdialog', { name: 'Leave group', exact: true });
      await asking.getByRole('textbox', { name: 'Type the name to confirm', exact: true }).fill('Choir');
      await asking.getByRole('button', { name: 'Leave group', exact: true }).click();
      await asking.getByText('That is not the name.', { exact: true }).waitFor();
      await asking.getByRole('textbox', { name: 'Type the name to confirm', exact: true }).fill('Band');
      await asking.getByRole('button', { name: 'Leave group', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Groups', exact: true }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'No groups yet', exact: true }).waitFor();
    });

    it('are taken over from its address book, and checked by number', async () => {
      const { page } = shown;
      await page.goto('/contacts');
      await button('Sync from phone').click();
      await dialog('Sync from phone').getByRole('button', { name: 'Sync', exact: true }).click();
      await page
        .getByRole('status')
        .filter({ hasText: /^\d+ new, \d+ updated/ })
        .waitFor();
      await row('Contacts', 'Anna of the book').waitFor();
      await button('Check numbers').click();
      const form = dialog('Check numbers');
      await form.getByRole('textbox', { name: 'Phone numbers', exact: true }).fill(`+${anna}\n${absent}\nnonsense`);
      await form.getByRole('button', { name: 'Check', exact: true }).click();
      await row('Results', anna).filter({ hasText: 'On WhatsApp' }).waitFor();
      await row('Results', absent).filter({ hasText: 'Not on WhatsApp' }).waitFor();
      await row('Results', 'nonsense').filter({ hasText: 'Not a phone number' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('are left out of what is sent to many: one by one, by a file, and by a word of their own', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'Opt-outs', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No opt-outs yet', exact: true }).waitFor();
      await button('Add phone').first().click();
      const form = dialog('Add phone');
      const phone = form.getByRole('textbox', { name: 'Phone', exact: true });
      await phone.fill('nonsense');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await phone.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await phone.fill(`+${anna}`);
      await form.getByRole('textbox', { name: 'Reason (optional)', exact: true }).fill('asked by mail');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await row('Opt-outs', `+${anna}`).filter({ hasText: 'asked by mail' }).waitFor();
      await button('Import CSV').click();
      const csv = `phone,reason\n${ben},by letter\nnonsense,\n`;
      await dialog('Import CSV')
        .getByLabel('CSV file', { exact: true })
        .setInputFiles({ name: 'out.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await dialog('Import CSV').getByRole('button', { name: 'Import', exact: true }).click();
      await dialog('Import CSV').getByRole('status').filter({ hasText: '1 created, 0 updated, 1 failed' }).waitFor();
      await row('Errors', '3').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox', { name: 'Search opt-outs', exact: true }).fill('letter');
      await row('Opt-outs', `+${anna}`).waitFor({ state: 'detached' });
      await row('Opt-outs', `+${ben}`).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV', exact: true }).click();
      expect(readFileSync(await (await download).path(), 'utf8')).toMatch(new RegExp(`${anna},asked by mail`));
      await row('Opt-outs', `+${ben}`).getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Take off the list', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No opt-outs found', exact: true }).waitFor();
      await expectSmallAndDark(world, ada, '/contacts/opt-outs', anna);
      await page.goto('/settings');
      const card = page.getByRole('region', { name: 'Opting out', exact: true });
      await card.getByRole('textbox', { name: 'Words to leave by', exact: true }).fill('ENOUGH, ABMELDEN');
      await card.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
      await world.network.sendFromContact(ben, { to: own, text: 'enough!' });
      const reasons = async () =>
        (await ada.tenant.call<{ items: { reason: string }[] }>('GET', '/suppressions')).body.items.map(
          ({ reason }) => reason,
        );
      // All replicas go by new words within five seconds.
      await eventually(async () => {
        if ((await reasons()).includes('opt-out: ENOUGH')) return true;
        await world.network.sendFromContact(ben, { to: own, text: 'enough' });
        return undefined;
      });
      expect(shown.faults).toEqual([]);
    });

    it('link their own phone by a page that is made for them, and withdrawn', async () => {
      const { page } = shown;
      await page.goto(`/profiles/${profileId}`);
      const card = page.getByRole('region', { name: "Somebody else's phone", exact: true });
      await card.getByText('None is open.', { exact: true }).waitFor();
      await button('Create link page').click();
      const form = dialog('Create link page');
      const minutes = form.getByRole('textbox', { name: 'Open for (minutes)', exact: true });
      await minutes.fill('many');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await minutes.getAttribute('aria-invalid')).toBe('true');
      await minutes.fill('5');
      await form.getByRole('combobox', { name: 'Language of the page', exact: true }).selectOption('id');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      const url = await form.getByRole('textbox', { name: 'Link page', exact: true }).inputValue();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const other = await visit(world, new URL(url).pathname + new URL(url).hash);
      await other.page.getByText('Choir').or(other.page.getByRole('heading').first()).first().waitFor();
      await other.close();
      await row('Open link pages', '20').first().waitFor();
      await expectSmallAndDark(world, ada, `/profiles/${profileId}`, 'هاتف');
      await card.getByRole('button', { name: 'Withdraw', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
      await card.getByText('None is open.', { exact: true }).waitFor();
      expect([await axeFaults(page), shown.faults]).toEqual([[], []]);
    });
  });
}
