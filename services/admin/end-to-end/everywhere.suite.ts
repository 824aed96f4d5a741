import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemRoles, type SystemRole } from '@messaging-gateway/contracts';
import { addressOf, pages, type PageRow } from '../web/app/page-list.ts';
import { pageNames } from '../web/app/texts.ts';
import { newPerson, password, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

const folder = fileURLToPath(new URL('../web/pages', import.meta.url));
const nobody = '0198c0de-0000-7000-8000-000000000001';

/** Pages that are there, with an address of each; that of a thing's page leads to a thing that does not exist. */
const places = pages
  .filter((page) => existsSync(`${folder}/${page.folder}/page.tsx`))
  .map((page) => ({ page, address: addressOf(page).replaceAll(/\$\w+/g, nobody) }));

/** Headings that a page may have for who may see it. */
const headingsOf = ({ link }: PageRow): readonly string[] =>
  link === undefined ? ['Not found'] : [pageNames[link.name].en];

/** What holds on every page: roles, throttles, the palette, the keys. */
export function everywhere(at: () => AdminWorld): void {
  describe('every page', () => {
    let world: AdminWorld;
    let owner: Person;
    let members: ReadonlyMap<SystemRole, Person>;
    beforeAll(async () => {
      world = at();
      owner = await newPerson(world);
      members = new Map(
        await Promise.all(
          (Object.keys(systemRoles) as SystemRole[]).map(async (role): Promise<[SystemRole, Person]> => [
            role,
            role === 'Owner' ? owner : await invited(role),
          ]),
        ),
      );
    }, 600_000);

    async function invited(role: SystemRole): Promise<Person> {
      const email = `${role.toLowerCase()}@everywhere.example`;
      const body = { email, name: role, role };
      const { body: made } = await owner.tenant.call<{ temporaryPassword: string }>(
        'POST',
        '/organizations/members',
        body,
      );
      const login = { email, password: made.temporaryPassword };
      const { body: first } = await world.gateway.call<{ accessToken: string }>('POST', '/auth/login', login);
      const change = { currentPassword: made.temporaryPassword, newPassword: password };
      const options = { credential: first.accessToken };
      const answer = await world.gateway.call('POST', '/auth/change-password', change, options);
      if (answer.status >= 300) throw new Error(`change-password answered ${answer.status}`);
      return { email, tenant: owner.tenant };
    }

    /** Goes there as a link does. */
    const go = ({ page }: Visit, address: string) =>
      page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);

    it.each(Object.keys(systemRoles) as SystemRole[])(
      'shows a %s the page or the permission that lacks, and asks for nothing that is refused',
      async (role) => {
        const shown = await visit(world, '/', { person: members.get(role) as Person });
        const { page, faults } = shown;
        const refused: string[] = [];
        const throttled: string[] = [];
        page.on('response', (answer) => {
          if (answer.status() === 403) refused.push(`${new URL(page.url()).pathname}: ${answer.url()}`);
          if (answer.status() === 429) throttled.push(answer.url());
        });
        await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
        const granted: readonly string[] = systemRoles[role];
        let before = 'Overview';
        for (const { page: row, address } of places) {
          const { permission } = row;
          const isAllowed = permission === undefined || granted.includes(permission);
          const [expected = ''] = isAllowed ? headingsOf(row) : [`Not allowed: ${permission}`];
          if (expected === before) {
            await go(shown, '/');
            await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
          }
          await go(shown, address);
          const main = page.getByRole('main');
          if (isAllowed) await main.getByRole('heading', { level: 1, name: expected, exact: true }).waitFor();
          else {
            await main.getByRole('heading', { level: 1, name: 'Not allowed', exact: true }).waitFor();
            await main.getByText(permission, { exact: false }).waitFor();
          }
          const name = isAllowed ? expected : 'Not allowed';
          expect([address, (await page.title()).startsWith(name)]).toEqual([address, true]);
          before = expected;
        }
        expect([refused, throttled, faults]).toEqual([[], [], []]);
        const linked = await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').count();
        const allowed = places.filter(
          ({ page: { link, permission } }) => link !== undefined && (!permission || granted.includes(permission)),
        );
        expect(linked).toBe(allowed.length);
        await shown.close();
      },
      600_000,
    );

    describe('by keys', () => {
      let shown: Visit;
      beforeAll(async () => {
        shown = await visit(world, '/profiles', { person: owner });
        await shown.page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
      });
      afterAll(() => shown?.close());

      const focused = () =>
        shown.page.evaluate<string>(
          '(({ ariaLabel, id, textContent }) => ariaLabel || id || textContent)(document.activeElement ?? document.body)',
        );

      it('leads past the navigation with the first key', async () => {
        const { page } = shown;
        await page.keyboard.press('Tab');
        expect(await focused()).toBe('Skip to content');
        await page.keyboard.press('Enter');
        expect(await focused()).toBe('content');
      });

      it('is found with Ctrl+K and some letters, and Escape closes it, where somebody was before', async () => {
        const { page } = shown;
        await page.getByRole('searchbox').first().focus();
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog', { name: 'Go to', exact: true });
        await palette.waitFor();
        await page.keyboard.press('Escape');
        await palette.waitFor({ state: 'detached' });
        expect(await page.evaluate('document.activeElement.type')).toBe('search');
        await page.keyboard.press('Control+k');
        await page.keyboard.type('quick');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Quick replies', exact: true }).waitFor();
        await go(shown, '/profiles');
        await page.getByRole('heading', { level: 1, name: 'Profiles', exact: true }).waitFor();
      });

      it('has dialogs that begin at their first field and give the focus back', async () => {
        const { page } = shown;
        const opener = page.getByRole('button', { name: 'Create profile', exact: true }).first();
        await opener.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Create profile', exact: true });
        await dialog.waitFor();
        await page.keyboard.type('Typed at once');
        expect(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Typed at once');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        expect(await focused()).toBe('Create profile');
      });

      it('lists its shortcuts with ?, but not while somebody types', async () => {
        const { page } = shown;
        const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true });
        await page.getByRole('main').focus();
        await page.keyboard.press('?');
        await keys.waitFor();
        await page.keyboard.press('Escape');
        await keys.waitFor({ state: 'detached' });
        await go(shown, '/profiles');
        const field = page.getByRole('searchbox').first();
        await field.fill('');
        await field.press('?');
        expect([await field.inputValue(), await keys.count(), shown.faults]).toEqual(['?', 0, []]);
      });
    });
  });
}
