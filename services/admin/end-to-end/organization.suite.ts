import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeFaults, isTooWide, newPerson, password, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** People of an organization, what they may do, and its parts. */
export function organization(at: () => AdminWorld): void {
  describe('the organization', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    const grace = { email: 'grace@organization.example', password: '' };
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      shown = await visit(world, '/roles', { person: ada });
    });
    afterAll(() => shown?.close());

    const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const row = (table: string, text: string) =>
      shown.page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
    const choose = async (table: string, text: string, item: string) => {
      await row(table, text).getByRole('button', { name: 'Actions', exact: true }).click();
      await shown.page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const confirm = async () => {
      const { page } = shown;
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    };

    it('has roles: a matrix of permissions, and own ones', async () => {
      const { page } = shown;
      await button('Create role').click();
      const form = dialog('Create role');
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await form.getByRole('alert').waitFor();
      const name = form.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      await name.fill('Front <b>desk</b>');
      await form.getByRole('checkbox', { name: 'user:read', exact: true }).check();
      await form.getByRole('checkbox', { name: 'contact:read', exact: true }).check();
      await form.getByRole('button', { name: 'Show as curl', exact: true }).click();
      expect(await form.getByRole('code').textContent()).toMatch(/^curl[^]*"user:read","contact:read"/);
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('button', { name: 'Create', exact: true }).click();
      await row('Roles', 'Front <b>desk</b>').waitFor();
      const matrix = page.getByRole('table', { name: 'Permissions by role', exact: true });
      const cells = matrix.getByRole('row').filter({ hasText: 'contact:read' }).getByRole('cell');
      expect(await cells.allInnerTexts()).toEqual(Array.from({ length: 6 }, () => 'Allowed'));
      expect(await row('Roles', 'Viewer').getByRole('button').count()).toBe(0);
      await choose('Roles', 'Front <b>desk</b>', 'Edit');
      await dialog('Edit').getByRole('textbox', { name: 'Description', exact: true }).fill('Who sits in front');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await row('Roles', 'Who sits in front').waitFor();
      expect(await axeFaults(page)).toEqual([]);
    });

    it('invites members with a temporary password that is shown once, and gives them roles', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'Members', exact: true }).click();
      await row('Members', 'You').waitFor();
      await button('Invite member').click();
      const form = dialog('Invite member');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace');
      const email = form.getByRole('textbox', { name: 'E-mail', exact: true });
      await email.fill('nobody');
      await form.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Operator');
      await form.getByRole('button', { name: 'Invite', exact: true }).click();
      await form.getByRole('alert').waitFor();
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      await email.fill(grace.email);
      await form.getByRole('button', { name: 'Invite', exact: true }).click();
      const field = form.getByRole('textbox', { name: 'Temporary password', exact: true });
      grace.password = await field.inputValue();
      expect(await field.getAttribute('readonly')).toBe('');
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('button', { name: 'Done', exact: true }).click();
      await row('Members', 'Invited').filter({ hasText: 'Operator' }).waitFor();
      await choose('Members', grace.email, 'Change role');
      await dialog('Change role')
        .getByRole('combobox', { name: 'Role', exact: true })
        .selectOption('Front <b>desk</b>');
      await dialog('Change role').getByRole('button', { name: 'Save', exact: true }).click();
      await row('Members', grace.email).filter({ hasText: 'Front <b>desk</b>' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    });

    it('shows a role what it may, and no button for the rest', async () => {
      const body = { email: grace.email, password: grace.password };
      const { accessToken } = (await world.gateway.call<{ accessToken: string }>('POST', '/auth/login', body)).body;
      await world.gateway.call(
        'POST',
        '/auth/change-password',
        { currentPassword: grace.password, newPassword: password },
        { credential: accessToken },
      );
      const person = { email: grace.email, tenant: ada.tenant };
      const hers = await visit(world, '/members', {
        person,
        locale: 'en',
        colorScheme: 'dark',
        viewport: { width: 320, height: 640 },
      });
      const { page } = hers;
      await page.getByRole('table', { name: 'Members', exact: true }).waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      await page.goto('/roles');
      await page.getByRole('table', { name: 'Permissions by role', exact: true }).waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      for (const [path, permission] of [
        ['/webhooks', 'webhook:manage'],
        ['/workspaces', 'workspace:read'],
        ['/accounts', 'profile:read'],
      ]) {
        await page.goto(path ?? '');
        await page.getByRole('heading', { level: 1, name: 'Not allowed', exact: true }).waitFor();
        expect(await page.getByRole('main').textContent()).toContain(permission);
      }
      expect(hers.faults).toEqual([]);
      await hers.close();
    });

    it('removes members and roles, of which one in use stays', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'Roles', exact: true }).click();
      await choose('Roles', 'Front <b>desk</b>', 'Delete');
      await confirm();
      await page
        .getByRole('alertdialog')
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Members', exact: true }).click();
      await choose('Members', grace.email, 'Remove');
      await confirm();
      await row('Members', grace.email).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Roles', exact: true }).click();
      await choose('Roles', 'Front <b>desk</b>', 'Delete');
      await confirm();
      await row('Roles', 'Front <b>desk</b>').waitFor({ state: 'detached' });
    });

    it('has workspaces, and accounts in them', async () => {
      const { page } = shown;
      await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
      await button('Create workspace').click();
      await dialog('Create workspace').getByRole('textbox', { name: 'Name', exact: true }).fill('Sales');
      await dialog('Create workspace').getByRole('button', { name: 'Create', exact: true }).click();
      await row('Workspaces', 'Sales').getByRole('link', { name: 'Show accounts', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No accounts', exact: true }).waitFor();
      await button('Create account').first().click();
      await dialog('Create account').getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await dialog('Create account').getByRole('button', { name: 'Create', exact: true }).click();
      await row('Accounts', 'Shop').filter({ hasText: 'Sales' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.getByRole('combobox', { name: 'Workspace', exact: true }).selectOption('');
      await row('Accounts', 'Default').waitFor();
      await choose('Accounts', 'Shop', 'Edit');
      await dialog('Edit').getByRole('textbox', { name: 'Name', exact: true }).fill('Web shop');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await row('Accounts', 'Web shop').waitFor();
      await page.getByRole('searchbox', { name: 'Search accounts', exact: true }).fill('web');
      await row('Accounts', 'Default').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
      await choose('Workspaces', 'Sales', 'Delete');
      await confirm();
      await page.getByRole('alertdialog').getByRole('alert').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Accounts', exact: true }).click();
      await choose('Accounts', 'Web shop', 'Delete');
      await confirm();
      await row('Accounts', 'Web shop').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
      await choose('Workspaces', 'Sales', 'Edit');
      await dialog('Edit').getByRole('textbox', { name: 'Description', exact: true }).fill('Gone soon');
      await dialog('Edit').getByRole('button', { name: 'Save', exact: true }).click();
      await row('Workspaces', 'Gone soon').waitFor();
      await choose('Workspaces', 'Sales', 'Delete');
      await confirm();
      await row('Workspaces', 'Sales').waitFor({ state: 'detached' });
      expect(await axeFaults(page)).toEqual([]);
      expect(shown.faults).toEqual([]);
    });

    it('fits on a small screen from right to left', async () => {
      const small = await visit(world, '/members', {
        person: ada,
        locale: 'ar',
        viewport: { width: 320, height: 640 },
      });
      for (const path of ['/members', '/roles', '/workspaces', '/accounts']) {
        await small.page.goto(path);
        await small.page.getByRole('table').first().waitFor();
        expect([path, await axeFaults(small.page), await isTooWide(small.page)]).toEqual([path, [], false]);
      }
      expect(small.faults).toEqual([]);
      await small.close();
    });
  });
}
