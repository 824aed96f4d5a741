import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, type LinkedProfile } from '@messaging-gateway/testing';
import { expectSmall } from './looks.ts';
import { axeFaults, isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** The log of a profile, one message in full, and what its people are told of. */
export function messages(at: () => AdminWorld): void {
  describe('messages and notifications', () => {
    const phone = '4915112390001';
    const contact = '4915112390002';
    const hostile = '<b onclick=alert(1)>javascript:alert(2)</b> \u202Egnp.exe';
    let world: AdminWorld;
    let ada: Person;
    let profile: LinkedProfile;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      profile = await linkProfile(world, ada.tenant, phone);
      shown = await visit(world, '/messages', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const table = (name: string) => shown.page.getByRole('table', { name, exact: true });
    const row = (name: string, text: string) => table(name).getByRole('row').filter({ hasText: text });

    it('shows what comes and goes as it happens, with its state', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      await world.network.sendFromContact(contact, { to: phone, text: hostile });
      await row('Messages', 'javascript').getByText('Received', { exact: true }).waitFor();
      const body = { profileId: profile.profileId, to: `+${contact}`, text: 'An answer' };
      await ada.tenant.call('POST', '/messages/text', body);
      await row('Messages', 'An answer').getByText('Delivered', { exact: true }).waitFor();
      await world.network.read(contact);
      await row('Messages', 'An answer').getByText('Read', { exact: true }).waitFor();
      expect(await table('Messages').getByRole('link').allTextContents()).toEqual(['An answer', hostile]);
    });

    it('finds words, and keeps them in its address', async () => {
      const { page } = shown;
      await page.getByRole('searchbox', { name: 'Search words', exact: true }).fill('answ');
      await row('Messages', 'javascript').waitFor({ state: 'detached' });
      await page.waitForURL(/\/messages\?search=answ$/);
      await page.reload();
      await row('Messages', 'An answer').waitFor();
      expect(await table('Messages').getByRole('row').count()).toBe(2);
      await page.getByRole('searchbox', { name: 'Search words', exact: true }).fill('nothing like that');
      await page.getByRole('heading', { level: 2, name: 'No messages', exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search words', exact: true }).fill('');
    });

    it('says why one failed', async () => {
      const { page } = shown;
      const { profileId } = profile;
      await world.network.configureContact(contact, { refuse: 479 });
      await ada.tenant.call('POST', '/messages/text', { profileId, to: `+${contact}`, text: 'Into nowhere' });
      await world.network.configureContact(contact, { refuse: 0 });
      await row('Messages', 'Into nowhere').getByText('Failed', { exact: true }).waitFor();
      const { body } = await ada.tenant.call<{ items: { error: { code: string } | null }[] }>(
        'GET',
        `/messages/profile/${profileId}?search=nowhere`,
      );
      await table('Messages').getByRole('link', { name: 'Into nowhere', exact: true }).click();
      await page.getByText(body.items[0]?.error?.code ?? 'no failure', { exact: true }).waitFor();
      expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
    });

    it('shows one in full, takes it back, deletes it here', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'All messages', exact: true }).click();
      await table('Messages').getByRole('link', { name: 'An answer', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor();
      await page.getByText('As JSON', { exact: true }).click();
      expect(await page.getByRole('group', { name: 'As JSON', exact: true }).textContent()).toContain('"An answer"');
      await page.getByRole('button', { name: 'Delete for everyone', exact: true }).click();
      const asked = page.getByRole('alertdialog', { name: 'Delete for everyone', exact: true });
      await asked.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('This message was taken back', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Delete here', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await table('Messages').waitFor();
      await eventually(async () => ((await table('Messages').getByRole('row').count()) === 3 ? true : undefined));
      await page.goto('/messages/none');
      await page.getByRole('heading', { level: 1, name: 'Not found', exact: true }).waitFor();
    });

    it('tells what happened, counts it in the shell, and leads to it', async () => {
      const { page } = shown;
      await page.goto('/notifications');
      await row('Notifications', 'Profile connected').waitFor();
      await world.network.sendFromContact(contact, { to: phone, text: 'Look here' });
      await row('Notifications', 'Look here').waitFor();
      await page.getByRole('link', { name: /^[1-9]\d* unread notifications?$/ }).waitFor();
      await row('Notifications', 'Look here').getByRole('link').click();
      await page.waitForURL(/\/inbox\/[\da-f-]{36}$/);
      await page.getByRole('article').filter({ hasText: 'Look here' }).waitFor();
      await page.goBack();
      await row('Notifications', 'Look here').getByText('Unread', { exact: true }).waitFor({ state: 'detached' });
    });

    it('marks them read, filters and deletes them', async () => {
      const { page } = shown;
      await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('Connection');
      await row('Notifications', 'Look here').waitFor({ state: 'detached' });
      await row('Notifications', 'Profile connected').getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Mark as read', exact: true }).click();
      await row('Notifications', 'Profile connected')
        .getByText('Unread', { exact: true })
        .waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Mark all as read', exact: true }).click();
      await page.getByRole('link', { name: 'No unread notifications', exact: true }).waitFor();
      await row('Notifications', 'Profile connected').getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No notifications', exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('All types');
      await row('Notifications', 'Look here').waitFor();
      await page.getByRole('button', { name: 'Delete all', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No notifications', exact: true }).waitFor();
      const { body } = await ada.tenant.call<{ items: object[] }>('GET', '/notifications');
      expect(body.items).toEqual([]);
    });

    it.each(['/messages', '/notifications'])(
      '%s is accessible in the dark and at 320 px from right to left',
      async (path) => {
        const { page } = shown;
        await world.network.sendFromContact(contact, { to: phone, text: 'Once more' });
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.goto(path);
        await page.getByRole('table').getByText('Once more').first().waitFor();
        expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
        await expectSmall(world, ada, path, { colorScheme: 'light' });
        expect(shown.faults).toEqual([]);
      },
    );
  });
}
