import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { databaseIn, storeInbox } from './stored-inbox.ts';
import { newPerson, password, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

const dayMs = 86_400_000;
const slowMs = 20_000;
/** The clock of a browser that is a day ahead. */
const tomorrow = `{
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + ${dayMs});
      else super(...given);
    }
    static now() {
      return Real.now() + ${dayMs};
    }
  };
}`;

/** Work that is interrupted: by the end of a session, a new build, an answer that takes its time, a clock that is wrong. */
export function interrupted(at: () => AdminWorld): void {
  describe('work that is interrupted', () => {
    let world: AdminWorld;
    let ada: Person;
    let grace: Person;
    let shown: Visit;
    let slow: Visit;
    let chat: string;
    let profileId: string;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      grace = await newPerson(world);
      const { organizationId } = (await ada.tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
      profileId = (await ada.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Quiet' })).body.id;
      const database = databaseIn(world.dataDirectory);
      chat = await storeInbox(database, { organizationId, profileId, conversations: 0, messages: 2 });
      await database.end();
      slow = await visit(world, '/workspaces', { person: grace });
      shown = await visit(world, `/inbox/${chat}`, { person: ada });
    }, 600_000);
    afterAll(async () => {
      await shown?.close();
      await slow?.close();
    });

    const composer = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const workspaces = () =>
      grace.tenant
        .call<{ items: { name: string }[] }>('GET', '/workspaces')
        .then(({ body }) => body.items.filter(({ name }) => name === 'Late'));

    it('waits for an answer that takes 20 seconds, which the tests after this one begin with', async () => {
      const { page } = slow;
      await heading(page, 'Workspaces').waitFor();
      await page.route(
        '**/api/v1/workspaces',
        async (route) => {
          const answer = await route.fetch();
          await new Promise((resolve) => setTimeout(resolve, slowMs));
          await route.fulfill({ response: answer });
        },
        { times: 1 },
      );
      await page.getByRole('button', { name: 'Create workspace', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create workspace', exact: true });
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Late');
      const create = dialog.getByRole('button', { name: 'Create', exact: true });
      await create.click();
      await create.dispatchEvent('click');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
      expect(await create.getAttribute('aria-disabled')).toBe('true');
    });

    it('by a session that is ended elsewhere goes on where it was, in all tabs, once somebody has signed in', async () => {
      const { page } = shown;
      await composer(page).fill('Half a sen');
      const other = await page.context().newPage();
      await other.goto('/contacts?search=Grace');
      await heading(other, 'Contacts').waitFor();
      const { body: sessions } = await ada.tenant.call<readonly { id: string; current: boolean }[]>(
        'GET',
        '/auth/sessions',
      );
      for (const { id } of sessions.filter(({ current }) => !current))
        await ada.tenant.call('DELETE', `/auth/sessions/${id}`);
      await page.waitForURL(`**/sign-in?next=${encodeURIComponent(`/inbox/${chat}`)}`);
      await other.waitForURL(/\/sign-in\?next=/);
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(`**/inbox/${chat}`);
      expect(await composer(page).inputValue()).toBe('Half a sen');
      await other.waitForURL('**/contacts?search=Grace');
      await heading(other, 'Contacts').waitFor();
      await other.close();
    });

    it('by a new build of the pages keeps what was typed', async () => {
      const { page } = shown;
      await composer(page).fill('Half a sentence');
      let asked = 0;
      await page.route(
        /\/assets\/page-roles-[^/]*\.js$/,
        (route) => {
          asked += 1;
          return route.fulfill({ status: 404, contentType: 'application/json', body: '{}' });
        },
        { times: 1 },
      );
      await page.getByRole('navigation').getByRole('link', { name: 'Roles', exact: true }).click();
      await heading(page, 'Roles').waitFor();
      await page.goBack();
      await page.getByRole('article').filter({ hasText: 'Message 2' }).waitFor();
      expect([asked, await composer(page).inputValue(), shown.faults]).toEqual([1, 'Half a sentence', []]);
    });

    it('by a clock that is a day ahead shows the times of the gateway', async () => {
      const { page, faults, close } = await visit(world, `/inbox/${chat}`, { person: ada, script: tomorrow });
      const conversation = page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').first();
      await conversation.waitFor();
      expect(await conversation.locator('time').textContent()).toMatch(/^\d+:\d\d/);
      await composer(page).fill('Sent today');
      await composer(page).press('Enter');
      const sent = page.getByRole('article').last();
      await sent.filter({ hasText: 'Sent today' }).waitFor();
      expect(await page.evaluate('Date.now()')).toBeGreaterThan(Date.now() + dayMs / 2);
      await page.goto(`/profiles/${profileId}`);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const left = page.getByText(/^Expires in \d+ s$/);
      await left.waitFor();
      expect(Number(/\d+/.exec((await left.textContent()) ?? '')?.[0])).toBeLessThanOrEqual(65);
      await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
      expect(faults).toEqual([]);
      await close();
    });

    it('by an answer after 20 seconds has done its work once', async () => {
      const { page } = slow;
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('row').filter({ hasText: 'Late' }).waitFor();
      expect([await workspaces(), slow.faults]).toEqual([[expect.objectContaining({ name: 'Late' })], []]);
    });
  });
}
