import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, type LinkedProfile } from '@messaging-gateway/testing';
import type { Page } from 'playwright-core';
import { addressOf, pages } from '../web/app/page-list.ts';
import { pageNames } from '../web/app/texts.ts';
import { databaseIn, storeInbox } from './stored-inbox.ts';
import { newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Throttles that tests have otherwise, as they are by default; each browser has the address that it says. */
const asByDefault = {
  RATE_LIMIT_GLOBAL: undefined,
  RATE_LIMIT_AUTH: undefined,
  RATE_LIMIT_MAX: undefined,
  TRUST_PROXY: '1',
};
const addressed = (address: string) => ({ extraHTTPHeaders: { 'x-forwarded-for': address } });
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Read {
  readonly seen: readonly string[];
  readonly isFound: boolean;
}

/** A gateway that is killed while somebody writes, and comes back with the throttles that it has by default. Comes last. */
export function lostGateway(at: () => AdminWorld): void {
  describe('a gateway that is killed and comes back, with its default throttles', () => {
    const [phone, contact] = ['4915112397001', '4915112397002'];
    const pictures = 60;
    /** Pauses in which nothing moves, after which there is no more above. */
    const mostPauses = 4_000;
    const first = 'Before it all';
    const rows = 100_000;
    const rowsOfAPiece = 5_000;
    let world: AdminWorld;
    let ada: Person;
    let grace: Person;
    let linus: Person;
    let alan: Person;
    let imports: Visit;
    /** Fulfilled when the import is in its middle. */
    const inTheMiddle = Promise.withResolvers<void>();
    /** Fulfilled when there is no gateway. */
    const killed = Promise.withResolvers<void>();
    let profile: LinkedProfile;
    let pictured: string;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      [grace, linus, alan] = await Promise.all([newPerson(world), newPerson(world), newPerson(world)]);
      profile = await linkProfile(world, ada.tenant, phone);
      await world.network.sendFromContact(contact, { to: phone, text: first });
      pictured = await storePictures();
      imports = await visit(world, '/contacts/import', { person: alan, ...addressed('192.0.2.4') });
      await startImport(imports.page);
    }, 600_000);
    afterAll(() => imports?.close());

    /** Begins to import many rows, few of which are phones, in pieces; goes no further than its middle before the gateway is killed. */
    async function startImport(page: Page): Promise<void> {
      let asked = 0;
      await page.route('**/contacts/import/csv', async (route) => {
        asked += 1;
        if (asked === rows / rowsOfAPiece / 2) inTheMiddle.resolve();
        if (asked > rows / rowsOfAPiece / 2) await killed.promise;
        return route.continue();
      });
      const lines = Array.from(
        { length: rows },
        (_, row) => `${row % 20 === 0 ? 491_600_000_000 + row : 'none'},${row}`,
      );
      await page.getByLabel('CSV file', { exact: true }).setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`phone,name\n${lines.join('\n')}\n`),
      });
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    }

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

    /**
     * Scrolls a chat up from its end, as somebody who reads, until a text is there or the first message of the chat.
     *
     * @returns texts of all articles that were seen, and whether the text was among them
     * @throws Error with them where nothing more comes
     */
    const readUpTo = async (page: Page, text: string, oldest: string, pauseMs: number): Promise<Read> => {
      const { isEnded, ...read } = await page.evaluate<Read & { readonly isEnded: boolean }>(
        `(async () => {
          const log = document.querySelector('[role=log]');
          const seen = new Map();
          const shows = (text) => log.textContent.includes(text);
          const isFound = () => shows(${JSON.stringify(text)});
          const isEnded = () => isFound() || shows(${JSON.stringify(oldest)});
          const pause = () => new Promise((resolve) => setTimeout(resolve, ${pauseMs}));
          log.scrollTo(0, 0);
          while (log.querySelector('[data-index="0"]') === null) await pause();
          for (let still = 0; still < ${mostPauses}; ) {
            for (const row of log.querySelectorAll('[data-index]'))
              if (row.querySelector('article')) seen.set(row.dataset.index, row.textContent);
            if (isEnded()) break;
            const before = log.scrollTop;
            log.scrollBy(0, -300);
            await pause();
            still = log.scrollTop === before ? still + 1 : 0;
          }
          return { seen: [...seen.values()], isFound: isFound(), isEnded: isEnded() };
        })()`,
      );
      if (!isEnded) throw new Error(`There is neither ${text} nor ${oldest}, but ${JSON.stringify(read.seen)}`);
      return read;
    };

    it('misses nothing and doubles nothing after a kill -9: neither what came, nor what was sent, nor what is being written', async () => {
      const { page, faults, close } = await visit(world, '/inbox', { person: ada, ...addressed('192.0.2.1') });
      const state = page.getByRole('status', { name: 'Live updates', exact: true });
      const composer = page.getByRole('textbox', { name: 'Message', exact: true });
      await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').first().click();
      await article(page, first).waitFor();
      await state.getByText('Live', { exact: true }).waitFor();
      await composer.fill('Just sent');
      await inTheMiddle.promise;
      await composer.press('Enter');
      await composer.fill('Being written');
      await world.gateway.kill();
      killed.resolve();
      await state.getByText(/Reconnecting|Offline/).waitFor();
      for (let number = 1; number <= 50; number += 1)
        await world.network.sendFromContact(contact, { to: phone, text: `Meanwhile ${number}.` });
      await world.restart(asByDefault);
      await state.getByText('Live', { exact: true }).waitFor();
      await article(page, 'Meanwhile 50.').waitFor();
      const again = article(page, 'Just sent').getByRole('button', { name: 'Try again', exact: true });
      const arrived = article(page, 'Just sent').getByText(/^(Sent|Delivered)$/);
      // It stands above what came meanwhile, where it was accepted before the kill; below it, as long as nobody knows.
      await eventually(async () => {
        const { isFound } = await readUpTo(page, 'Just sent', first, 30);
        if (!isFound) return undefined;
        if (await again.isVisible()) await again.click();
        return (await arrived.isVisible()) || undefined;
      });
      // Its state is the one that is stored; who asks all the time is refused, as anybody. One that was not handed over before its time
      // was up is stored as failed, and was sent again as another.
      const stored = async () =>
        (
          await ada.tenant.call<{ items: { status: string }[] }>(
            'GET',
            `/messages/profile/${profile.profileId}?search=Just`,
            undefined,
            addressed('192.0.2.9').extraHTTPHeaders,
          )
        ).body.items
          .map(({ status }) => status)
          .filter((status) => status !== 'failed');
      await eventually(async () => {
        if ((await arrived.textContent())?.toLowerCase() === (await stored()).join()) return true;
        return setTimeout(1_000);
      });
      expect(await composer.inputValue()).toBe('Being written');
      const { seen } = await readUpTo(page, first, first, 30);
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

    it('resumes an import of 100,000 rows that it broke off in its middle: each row counts once', async () => {
      const { page, faults } = imports;
      const resume = page.getByRole('button', { name: 'Resume', exact: true });
      const done = page.getByText('The import is done.', { exact: true });
      await resume.click();
      await done.waitFor();
      const said = (await page.getByRole('status').filter({ hasText: 'created' }).textContent()) ?? '';
      const [created = 0, updated = 0, failed = 0] = Array.from(said.matchAll(/\d+/g), ([digits]) => Number(digits));
      // Rows of the piece that was under way may have been there already.
      expect([created + updated, updated < rowsOfAPiece, failed]).toEqual([rows / 20, true, rows - rows / 20]);
      const { total } = (
        await alan.tenant.call<{ total: number }>(
          'GET',
          '/contacts?limit=1',
          undefined,
          addressed('192.0.2.9').extraHTTPHeaders,
        )
      ).body;
      expect([total, faults]).toEqual([rows / 20, []]);
    }, 600_000);

    it('shows 300 messages with 60 pictures to somebody who reads them all, and refuses nothing', async () => {
      const { page, faults, close } = await visit(world, `/inbox/${pictured}`, {
        person: grace,
        ...addressed('192.0.2.2'),
      });
      const refused: string[] = [];
      page.on('response', (answer) => answer.status() === 429 && refused.push(answer.url()));
      await article(page, 'Picture 300').waitFor();
      const { seen } = await readUpTo(page, 'Message 1 ', 'Message 1 ', 120);
      expect(seen.filter((text) => text.includes('Picture '))).toHaveLength(pictures);
      await article(page, 'Picture 5').scrollIntoViewIfNeeded();
      await article(page, 'Picture 5').getByRole('img').waitFor();
      expect([refused, faults]).toEqual([[], []]);
      await close();
    }, 600_000);

    it('shows all pages within a minute, and refuses nothing', async () => {
      const { page, faults, close } = await visit(world, '/', { person: linus, ...addressed('192.0.2.3') });
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
