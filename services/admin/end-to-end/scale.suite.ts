import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseIn, storeInbox } from './stored-inbox.ts';
import { newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

const most = 400;

/** An inbox with many conversations and a long chat. */
export function scale(at: () => AdminWorld): void {
  describe('an inbox with much in it', () => {
    const stored = 1_000;
    let ada: Person;
    let shown: Visit;
    let chat: string;

    beforeAll(async () => {
      const world = at();
      ada = await newPerson(world);
      const { organizationId } = (await ada.tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
      const profile = await ada.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Busy' });
      const database = databaseIn(world.dataDirectory);
      const profileId = profile.body.id;
      chat = await storeInbox(database, { organizationId, profileId, conversations: stored, messages: stored });
      await database.end();
      shown = await visit(world, `/inbox/${chat}`, { person: ada, viewport: { width: 1280, height: 1440 } });
    }, 600_000);
    afterAll(() => shown?.close());

    const list = () => shown.page.getByRole('list', { name: 'Conversations', exact: true });
    const log = () => shown.page.getByRole('log', { name: 'Messages', exact: true });

    /** Scrolls in steps until a text is there. @returns most elements that were below the list meanwhile */
    const scrolledTo = (where: string, text: string, step: number): Promise<number> =>
      shown.page.evaluate<number>(`new Promise((resolve) => {
        const list = document.querySelector(${JSON.stringify(where)});
        const scroller = list.role === 'log' ? list : list.parentElement;
        let most = 0;
        const next = () => {
          most = Math.max(most, list.querySelectorAll('*').length);
          if (list.textContent.includes(${JSON.stringify(text)})) return resolve(most);
          scroller.scrollBy(0, ${step});
          requestAnimationFrame(next);
        };
        next();
      })`);

    it('has few elements of a long list there at a time, and says how long it is', async () => {
      await list()
        .getByRole('link', { name: /^Person 2 / })
        .waitFor();
      expect(await scrolledTo('ul[aria-label=Conversations]', `Person ${stored - 1} `, 400)).toBeLessThanOrEqual(most);
      await shown.page.evaluate(
        "{ const { parentElement: scroller } = document.querySelector('ul[aria-label=Conversations]'); scroller.scrollTo(0, scroller.scrollHeight); }",
      );
      await list()
        .locator(`[aria-posinset="${stored + 1}"]`)
        .waitFor();
      const last = list().getByRole('listitem').last();
      expect([await last.getAttribute('aria-setsize'), await last.getAttribute('aria-posinset')]).toEqual([
        String(stored + 1),
        String(stored + 1),
      ]);
    });

    it('has few elements of a long chat there at a time, and reads back to its first message', async () => {
      await log()
        .getByRole('article')
        .filter({ hasText: `Message ${stored} ` })
        .waitFor();
      expect(await scrolledTo('[role=log]', 'Message 1 ', -400)).toBeLessThanOrEqual(most);
      expect(shown.faults).toEqual([]);
    });
  });
}
