import { beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile, type LinkedProfile } from '@messaging-gateway/testing';
import type { Page } from 'playwright-core';
import { addressOf, pages } from '../web/app/page-list.ts';
import { pageNames } from '../web/app/texts.ts';
import { databaseIn, storeInbox } from './stored-inbox.ts';
import { newPerson, visit, type Person } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Settings that tests have otherwise, as they are by default. */
const defaultThrottles = { RATE_LIMIT_GLOBAL: undefined, RATE_LIMIT_AUTH: undefined, RATE_LIMIT_MAX: undefined };
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A gateway that is killed while somebody writes, and comes back with the throttles that it has by default. Comes last. */
export function lostGateway(at: () => AdminWorld): void {
  describe('a gateway that is killed and comes back, with its default throttles', () => {
    const [phone, contact] = ['4915112390001', '4915112390002'];
    const pictures = 60;
    let world: AdminWorld;
    let ada: Person;
    let grace: Person;
    let profile: LinkedProfile;
    let pictured: string;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      grace = await newPerson(world);
      profile = await linkProfile(world, ada.tenant, phone);
      await world.network.sendFromContact(contact, { to: phone, text: 'Before it all' });
      pictured = await storePictures();
    }, 600_000);

    /** A chat of 300 messages, 60 of them pictures. @returns its id */
    async function storePictures(): Promise<string> {
      const { organizationId } = (await grace.tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
      const made = await grace.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Pictures' });
      const addresses: string[] = [];
      for (let number = 0; number < pictures; number += 1) {
        const form = new FormData();
        form.set('file', new Blob([dot], { type: 'image/png' }), `dot-${number}.png`);
        const answer = await fetch(`${world.gateway.host}/api/v1/uploads/media`, {
          method: 'POST',
          headers: { authorization: `Bearer ${grace.tenant.token}` },
          body: form,
        });
        addresses.push(((await answer.json()) as { url: string }).url);
      }
      const database = databaseIn(world.dataDirectory);
      const stored = { organizationId, profileId: made.body.id, conversations: 1, messages: 300, pictures: addresses };
      const id = await storeInbox(database, stored);
      await database.end();
      return id;
    }

    const log = (page: Page) => page.getByRole('log', { name: 'Messages', exact: true });
    const article = (page: Page, text: string) => log(page).getByRole('article').filter({ hasText: text });

    /** Scrolls a chat up from its end, as somebody who reads, until a text is there. @returns all texts of articles that were seen */
    const readUpTo = (page: Page, text: string, pauseMs: number): Promise<readonly string[]> =>
      page.evaluate<string[]>(`(async () => {
        const log = document.querySelector('[role=log]');
        const seen = new Map();
        for (;;) {
          for (const row of log.querySelectorAll('[data-index]'))
            if (row.querySelector('article')) seen.set(row.dataset.index, row.textContent);
          if (log.textContent.includes(${JSON.stringify(text)})) return [...seen.values()];
          log.scrollBy(0, -300);
          await new Promise((resolve) => setTimeout(resolve, ${pauseMs}));
        }
      })()`);

    it('misses nothing and doubles nothing after a kill -9: neither what came, nor what was sent, nor what is being written', async () => {
      const { page, faults, close } = await visit(world, '/inbox', { person: ada });
      const state = page.getByRole('status', { name: 'Live updates', exact: true });
      const composer = page.getByRole('textbox', { name: 'Message', exact: true });
      await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').first().click();
      await article(page, 'Before it all').waitFor();
      await state.getByText('Live', { exact: true }).waitFor();
      await composer.fill('Just sent');
      await composer.press('Enter');
      await composer.fill('Being written');
      await world.gateway.kill();
      await state.getByText(/Reconnecting|Offline/).waitFor();
      for (let number = 1; number <= 50; number += 1)
        await world.network.sendFromContact(contact, { to: phone, text: `Meanwhile ${number}.` });
      await world.restart(defaultThrottles);
      await state.getByText('Live', { exact: true }).waitFor();
      await article(page, 'Meanwhile 50.').waitFor();
      const again = article(page, 'Just sent').getByRole('button', { name: 'Try again', exact: true });
      const arrived = article(page, 'Just sent').getByText(/^(Sent|Delivered)$/);
      await again.or(arrived).first().waitFor();
      if (await again.isVisible()) await again.click();
      await article(page, 'Just sent').getByText('Delivered', { exact: true }).waitFor();
      expect(await composer.inputValue()).toBe('Being written');
      const seen = await readUpTo(page, 'Before it all', 30);
      const numbers = seen.flatMap((text) => /Meanwhile (\d+)\./.exec(text)?.[1] ?? []);
      expect(numbers.map(Number).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      expect(seen.filter((text) => text.includes('Just sent'))).toHaveLength(1);
      const sent = (await world.network.messages(contact)).filter(({ text }) => text === 'Just sent');
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatchObject({ from: profile.phone });
      expect(faults).toEqual([]);
      await close();
    }, 600_000);

    it('shows 300 messages with 60 pictures to somebody who reads them all, and refuses nothing', async () => {
      const { page, faults, close } = await visit(world, `/inbox/${pictured}`, { person: grace });
      const refused: string[] = [];
      page.on('response', (answer) => answer.status() === 429 && refused.push(answer.url()));
      await article(page, 'Picture 300').waitFor();
      const shown = await readUpTo(page, 'Message 1 ', 120);
      expect(shown.filter((text) => text.includes('Picture '))).toHaveLength(pictures);
      await article(page, 'Picture 5').getByRole('img').waitFor();
      expect([refused, faults]).toEqual([[], []]);
      await close();
    }, 600_000);

    it('shows all pages within a minute, and refuses nothing', async () => {
      await world.gateway.kill();
      await world.restart(defaultThrottles);
      const { page, faults, close } = await visit(world, '/', { person: ada });
      const refused: string[] = [];
      page.on('response', (answer) => answer.status() === 429 && refused.push(answer.url()));
      for (const row of pages)
        if (row.link !== undefined) {
          const { name } = row.link;
          await page.evaluate(`history.pushState({}, '', ${JSON.stringify(addressOf(row))})`);
          await page.getByRole('heading', { level: 1, name: pageNames[name].en, exact: true }).waitFor();
        }
      expect([refused, faults]).toEqual([[], []]);
      await close();
    }, 600_000);
  });
}
