import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile } from '@messaging-gateway/testing';
import { Secret, TOTP } from 'otpauth';
import { axeFaults, newPerson, password, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Keys that may do less than their maker, the second factor and what replaces it, the file about oneself, and the end. */
export function ownAccount(at: () => AdminWorld): void {
  describe('what is one’s own', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      await linkProfile(world, ada.tenant, '4915112388001');
      await ada.tenant.call('POST', '/profiles', { name: 'Second' });
      shown = await visit(world, '/api-keys', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const codes = () => dialog('Enable two-factor').getByRole('list', { name: 'Backup codes', exact: true });
    const signIn = async () => {
      const { page } = shown;
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };

    it('has API keys for some profiles alone, shown once, and worthless after', async () => {
      const { page } = shown;
      await page.getByRole('heading', { level: 2, name: 'No API keys yet', exact: true }).waitFor();
      await button('Create API key').first().click();
      const form = dialog('Create API key');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await form.getByRole('checkbox', { name: 'profile:read', exact: true }).check();
      await form
        .getByRole('group', { name: 'Profiles', exact: true })
        .getByRole('checkbox', { name: 'Second', exact: true })
        .check();
      const networks = form.getByRole('textbox', { name: 'Allowed networks', exact: true });
      await networks.fill('nonsense');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await networks.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await networks.fill('127.0.0.0/8');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      const key = await form.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
      const asked = (path: string) => fetch(`${world.gateway.host}/api/v1${path}`, { headers: { 'x-api-key': key } });
      const listed = (await (await asked('/profiles')).json()) as {
        readonly items: readonly { readonly name: string }[];
      };
      expect(listed.items.map(({ name }) => name)).toEqual(['Second']);
      expect((await asked('/contacts')).status).toBe(403);
      await form.getByRole('button', { name: 'Done', exact: true }).click();
      expect(await page.content()).not.toContain(key);
      await page
        .getByRole('row')
        .filter({ hasText: 'Shop' })
        .getByRole('button', { name: 'Actions', exact: true })
        .click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No API keys yet', exact: true }).waitFor();
      expect((await asked('/profiles')).status).toBe(401);
    });

    it('has a second factor, and comes in by a backup code where the app is lost', async () => {
      const { page } = shown;
      await page.goto('/account');
      await button('Enable two-factor').click();
      const form = dialog('Enable two-factor');
      const secret = await form.getByRole('textbox', { name: 'Secret', exact: true }).inputValue();
      const app = new TOTP({ secret: Secret.fromBase32(secret) });
      await form.getByRole('textbox', { name: 'Code', exact: true }).fill(app.generate());
      await form.getByRole('textbox', { name: 'Code', exact: true }).press('Enter');
      await codes().waitFor();
      const backup = await codes().getByRole('listitem').allTextContents();
      expect(backup).toHaveLength(10);
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByText('On. 10 backup codes are left.', { exact: true }).waitFor();
      await button('Account').click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.waitForURL(/\/sign-in/);
      await signIn();
      await page.waitForURL(/\/sign-in\/code/);
      const code = page.getByRole('textbox', { name: 'Code', exact: true });
      await code.fill('nonsense');
      await button('Verify').click();
      await page.getByRole('alert').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await code.fill(backup[0] ?? '');
      await button('Verify').click();
      await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
      await page.goto('/account');
      await page.getByText('On. 9 backup codes are left.', { exact: true }).waitFor();
      await button('New backup codes').click();
      const renewing = dialog('New backup codes');
      await renewing.getByRole('textbox', { name: 'Code', exact: true }).fill(backup[1] ?? '');
      await renewing.getByRole('button', { name: 'Create', exact: true }).click();
      await renewing.getByRole('list', { name: 'Backup codes', exact: true }).waitFor();
      const renewed = await renewing.getByRole('listitem').allTextContents();
      expect(renewed.filter((one) => backup.includes(one))).toEqual([]);
      expect(renewed).toHaveLength(10);
      await page.keyboard.press('Escape');
      await button('Disable two-factor').click();
      const ending = dialog('Disable two-factor');
      await ending.getByLabel('Password', { exact: true }).fill(password);
      await ending.getByRole('textbox', { name: 'Code', exact: true }).fill(backup[2] ?? '');
      await ending.getByRole('button', { name: 'Disable', exact: true }).click();
      await ending.getByRole('alert').waitFor();
      await ending.getByRole('textbox', { name: 'Code', exact: true }).fill(renewed[0] ?? '');
      await ending.getByRole('button', { name: 'Disable', exact: true }).click();
      await page.getByText('Signing in asks for the password only.', { exact: true }).waitFor();
    });

    it('is had as a file, and erased with the organization once the password is typed', async () => {
      const { page } = shown;
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export personal data', exact: true }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('personal-data.json');
      expect(readFileSync(await file.path(), 'utf8')).toContain(ada.email);
      await button('Delete account').click();
      const asking = page.getByRole('alertdialog', { name: 'Delete account', exact: true });
      await asking.getByLabel('Password', { exact: true }).fill('a wrong password');
      await asking.getByRole('button', { name: 'Delete', exact: true }).click();
      await asking.getByRole('alert').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await asking.getByLabel('Password', { exact: true }).fill(password);
      await asking.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.waitForURL(/\/sign-in/);
      await signIn();
      await page.getByRole('alert').waitFor();
      expect(shown.faults).toEqual([]);
    });
  });
}
