import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, type LinkedProfile } from '@messaging-gateway/testing';
import type { Locator } from 'playwright-core';
import { axeFaults, isTooWide, newPerson, visible, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** Conversations and chats, with simulated phones at the other end. */
export function inbox(at: () => AdminWorld): void {
  describe('the inbox', () => {
    const phone = '4915112370001';
    const contact = '4915112370002';
    let world: AdminWorld;
    let ada: Person;
    let profile: LinkedProfile;
    let shown: Visit;

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      profile = await linkProfile(world, ada.tenant, phone);
      shown = await visit(world, '/inbox', { person: ada });
    }, 600_000);

    const conversations = () => shown.page.getByRole('list', { name: 'Conversations', exact: true });
    const log = () => shown.page.getByRole('log', { name: 'Messages', exact: true });
    const article = (text: string): Locator => log().getByRole('article').filter({ hasText: text }).last();
    const composer = () => shown.page.getByRole('textbox', { name: 'Message', exact: true });
    const received = async (text: string) =>
      eventually(async () =>
        (await world.network.messages(contact)).find((message) => JSON.stringify(message).includes(text)),
      );
    /** Waits until the conversations are such. */
    const stored = (isSo: (list: { readonly items: readonly object[] }) => boolean) =>
      eventually(async () => {
        const { body } = await ada.tenant.call<{ items: object[] }>('GET', '/conversations');
        return isSo(body) || undefined;
      });
    const act = async (text: string, action: string) => {
      await article(text).getByRole('button', { name: 'Message actions', exact: true }).click();
      await shown.page.getByRole('menuitem', { name: action, exact: true }).click();
    };

    it('says what to do while it is empty', async () => {
      const empty = shown.page.getByRole('heading', { level: 2, name: /^No / });
      await empty.waitFor();
      expect(await shown.page.getByRole('status', { name: 'Live updates', exact: true }).textContent()).toMatch(
        /^(Live|Reconnecting)$/,
      );
    });

    it('begins a conversation, and the phone decrypts what is written', async () => {
      const { page } = shown;
      await page.getByRole('button', { name: 'New conversation', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'New conversation', exact: true });
      await dialog.getByRole('textbox', { name: 'Phone number', exact: true }).fill(`+${contact}`);
      await dialog.getByRole('button', { name: 'Start', exact: true }).click();
      await composer().fill('First line');
      await composer().press('Shift+Enter');
      await composer().pressSequentially('second line');
      await composer().press('Enter');
      await page.waitForURL(/\/inbox\/[\da-f-]{36}$/);
      await article('First line').getByText('Delivered', { exact: true }).waitFor();
      expect(await received('First line')).toMatchObject({ text: 'First line\nsecond line', from: phone });
      expect(await composer().inputValue()).toBe('');
      await world.network.read(contact);
      await article('First line').getByText('Read', { exact: true }).waitFor();
    });

    it('shows what others write at once, as they wrote it, and counts what is unread', async () => {
      const { page } = shown;
      const hostile = '<img src=x onerror=alert(1)> javascript:alert(2) https://example.com/a \u202Egnp.exe';
      await world.network.sendFromContact(contact, { to: phone, text: hostile });
      await article('onerror').waitFor();
      expect(await article('onerror').getByRole('link').getAttribute('href')).toBe('https://example.com/a');
      await world.network.sendFromContact('4915112370003', { to: phone, text: 'Somebody else' });
      const link = conversations().getByRole('link').filter({ hasText: 'Somebody else' });
      await visible(link.getByText('1 unread'), conversations());
      expect(await conversations().getByRole('listitem').first().getAttribute('aria-setsize')).toBe('2');
      await link.click();
      await article('Somebody else').waitFor();
      await link.getByText('unread').waitFor({ state: 'detached' });
      await page.goBack();
      await article('onerror').waitFor();
    });

    it('misses nothing that comes while the chat is being read, and an older answer is under way', async () => {
      const { page } = shown;
      const link = conversations().getByRole('link').filter({ hasText: 'While it was read' });
      await page.route(
        /\/messages\/conversation\//,
        async (route) => {
          const answer = await route.fetch();
          await page
            .getByRole('status', { name: 'Live updates', exact: true })
            .getByText('Live', { exact: true })
            .waitFor();
          await world.network.sendFromContact(contact, { to: phone, text: 'While it was read' });
          await link.waitFor();
          await route.fulfill({ response: answer });
        },
        { times: 1 },
      );
      await page.reload();
      await article('onerror').waitFor();
      await article('While it was read').waitFor();
    });

    it('misses nothing that comes after the list was read and before news are heard', async () => {
      const { page } = shown;
      const between = { to: phone, text: 'Before news were heard' };
      await page.route(
        /\/api\/v1\/live\?/,
        async (route) => {
          await conversations().getByRole('link').first().waitFor();
          await world.network.sendFromContact(contact, between);
          await stored(({ items }) => JSON.stringify(items).includes(between.text));
          // What was read in the same moment is not read again.
          await new Promise((resolve) => setTimeout(resolve, 600));
          await route.continue();
        },
        { times: 1 },
      );
      await page.reload();
      await conversations().getByRole('link').filter({ hasText: between.text }).waitFor();
      await article(between.text).waitFor();
    });

    it('shows what came while another page was shown', async () => {
      const { page } = shown;
      const meanwhile = { to: phone, text: 'While contacts were shown' };
      await page.getByRole('link', { name: 'Contacts', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Contacts', exact: true }).waitFor();
      await world.network.sendFromContact(contact, meanwhile);
      await stored(({ items }) => JSON.stringify(items).includes(meanwhile.text));
      await page.goBack();
      await conversations().getByRole('link').filter({ hasText: meanwhile.text }).waitFor();
      await article(meanwhile.text).waitFor();
    });

    it('finds a new conversation in the list, while it cannot be read by itself', async () => {
      const { page } = shown;
      const single = /\/api\/v1\/conversations\/[\da-f-]{36}$/;
      await page.route(single, (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'away' }));
      await world.network.sendFromContact('4915112370004', { to: phone, text: 'Somebody new' });
      const link = conversations().getByRole('link').filter({ hasText: 'Somebody new' });
      await visible(link.getByText('1 unread'), conversations());
      await page.unroute(single);
    });

    /**
     * Holds the first answer that is such back, until something newer is to be seen; it comes after that.
     *
     * @returns fulfilled when the page has had the answer
     */
    const held = async (path: RegExp, isMeant: (answer: string) => boolean, until: () => Promise<void>) => {
      const { page } = shown;
      const answered = Promise.withResolvers<void>();
      let isHeld = false;
      await page.route(path, async (route) => {
        const response = await route.fetch();
        const isSuch = isMeant(await response.text());
        if (isHeld || !isSuch) return route.fulfill({ response });
        isHeld = true;
        const seen = until();
        await seen.catch(() => undefined);
        await route.fulfill({ response });
        return answered.resolve(seen);
      });
      return answered.promise.then(async () => {
        await page.unroute(path);
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      });
    };

    it('shows what came while another page was shown, though an answer from before that came later', async () => {
      const { page } = shown;
      const meanwhile = { to: phone, text: 'Later than that' };
      const answered = held(
        /\/api\/v1\/conversations\/[\da-f-]{36}\/read$/,
        () => true,
        async () => {
          await page.getByRole('link', { name: 'Contacts', exact: true }).click();
          await page.getByRole('heading', { level: 1, name: 'Contacts', exact: true }).waitFor();
          await world.network.sendFromContact(contact, meanwhile);
          await stored(({ items }) => JSON.stringify(items).includes(meanwhile.text));
        },
      );
      await world.network.sendFromContact(contact, { to: phone, text: 'This is read' });
      await answered;
      await page.goBack();
      await visible(conversations().getByRole('link').filter({ hasText: meanwhile.text }), conversations());
      await article(meanwhile.text).waitFor();
    });

    it('keeps what is newer than an answer that was under way', async () => {
      const somebody = '4915112370005';
      const link = conversations().getByRole('link').filter({ hasText: 'The second' });
      const answered = held(
        /\/api\/v1\/conversations\/[\da-f-]{36}$/,
        (answer) => answer.includes('The first'),
        async () => {
          await world.network.sendFromContact(somebody, { to: phone, text: 'The second' });
          await visible(link.getByText('2 unread'), conversations());
        },
      );
      await world.network.sendFromContact(somebody, { to: phone, text: 'The first' });
      await answered;
      expect(await conversations().innerText()).toMatch(/The second\s+2 unread/);
    });

    it('keeps the state of a message that was told while an older answer was under way', async () => {
      const { profileId } = profile;
      const text = { profileId, to: contact, text: 'From elsewhere' };
      const sent = await ada.tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', text);
      const { messageId } = sent.body.data;
      await article('From elsewhere').getByText('Delivered', { exact: true }).waitFor();
      const answered = held(
        /\/api\/v1\/messages\/[\da-f-]{36}$/,
        (answer) => answer.includes(messageId),
        async () => {
          await world.network.read(contact);
          await article('From elsewhere').getByText('Read', { exact: true }).waitFor();
        },
      );
      const reaction = { profileId, messageId, emoji: '🎉' };
      expect(await ada.tenant.call('POST', '/messages/reaction', reaction)).toMatchObject({ status: 200 });
      await answered;
      await article('From elsewhere').getByText('🎉').waitFor();
      expect(await article('From elsewhere').getByText('Read', { exact: true }).count()).toBe(1);
    });

    it('quotes, reacts, takes back, and deletes', async () => {
      const { page } = shown;
      await act('onerror', 'React');
      await article('onerror').getByRole('button', { name: '👍', exact: true }).click();
      expect(await received('👍')).toMatchObject({ content: { type: 'reaction', emoji: '👍' } });
      await act('onerror', 'Reply');
      await composer().fill('This answers');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect(await received('This answers')).toMatchObject({ text: 'This answers', quoted: expect.any(String) });
      await composer().fill('Regretted');
      await composer().press('Enter');
      await article('Regretted').getByText('Delivered', { exact: true }).waitFor();
      await act('Regretted', 'Delete for everyone');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await article('Deleted').waitFor();
      expect(await log().getByText('Regretted').count()).toBe(0);
      await received('revoke');
    });

    it('sends files, with what is written as their caption, places, contacts and polls', async () => {
      const { page } = shown;
      const picture = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const attach = async (item: string) => {
        await page.getByRole('button', { name: 'Attach', exact: true }).click();
        await page.getByRole('menuitem', { name: item, exact: true }).click();
      };
      const choose = async (item: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), attach(item)]);
        await chooser.setFiles(file);
      };
      await choose('Photo or video', { name: 'dot.png', mimeType: 'image/png', buffer: picture });
      await composer().fill('A dot');
      await composer().press('Enter');
      expect(await received('A dot')).toMatchObject({ content: { type: 'image', media: { size: picture.length } } });
      await article('A dot').getByRole('img').waitFor();
      await choose('Document', { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') });
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect(await received('plan.txt')).toMatchObject({ content: { type: 'document', media: { size: 8 } } });
      await attach('Location');
      await page.getByRole('textbox', { name: 'Latitude', exact: true }).fill('52.5163');
      await page.getByRole('textbox', { name: 'Longitude', exact: true }).fill('east');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await dialog.getByRole('alert').waitFor();
      await page.getByRole('textbox', { name: 'Longitude', exact: true }).fill('13.3777');
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      expect(await received('52.5163')).toMatchObject({ content: { type: 'location', longitude: 13.3777 } });
      await attach('Poll');
      await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Lunch?');
      await page.getByRole('textbox', { name: 'Options', exact: true }).fill('Yes\nNo');
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      expect(await received('Lunch?')).toMatchObject({ content: { type: 'poll', options: ['Yes', 'No'] } });
      await article('Lunch?').waitFor();
    });

    it('says why something failed, and tries again without doubling it', async () => {
      const { page } = shown;
      await page.route('**/messages/text', (route) => route.abort(), { times: 1 });
      await composer().fill('Once only');
      await composer().press('Enter');
      await article('Once only').getByText('Failed', { exact: true }).waitFor();
      await article('Once only').getByRole('button', { name: 'Try again', exact: true }).click();
      await article('Once only').getByText('Delivered', { exact: true }).waitFor();
      // This time it leaves, and only its answer is lost.
      await page.route(
        '**/messages/text',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await composer().fill('Answer lost');
      await composer().press('Enter');
      await received('Answer lost');
      await article('Answer lost').getByText('Delivered', { exact: true }).waitFor();
      expect(await log().getByRole('article').filter({ hasText: 'Answer lost' }).count()).toBe(1);
      expect(
        (await world.network.messages(contact)).filter(({ text }) => /Once only|Answer lost/.test(text)),
      ).toHaveLength(2);
    });

    it('archives with a way back, mutes and pins', async () => {
      const { page } = shown;
      const menu = async (item: string) => {
        await page.getByRole('button', { name: 'Conversation actions', exact: true }).click();
        await page.getByRole('menuitem', { name: item, exact: true }).click();
      };
      await menu('Pin');
      await conversations().getByRole('listitem').first().getByText('Pinned').waitFor();
      await menu('Archive');
      await conversations().getByRole('link').filter({ hasText: 'Pinned' }).waitFor({ state: 'detached' });
      await page.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).click();
      await conversations().getByRole('link').filter({ hasText: 'Pinned' }).waitFor();
      await menu('Mute');
      await conversations().getByText('Muted').waitFor();
      const { items } = (await ada.tenant.call<{ items: object[] }>('GET', '/conversations')).body;
      expect(items[0]).toMatchObject({ pinned: true, muted: true, archived: false, profileId: profile.profileId });
    });

    it('is accessible in the dark and from right to left at 320 px', async () => {
      expect([await axeFaults(shown.page), await isTooWide(shown.page)]).toEqual([[], false]);
      const path = new URL(shown.page.url()).pathname;
      const small = await visit(world, path, {
        person: ada,
        locale: 'ar',
        colorScheme: 'dark',
        viewport: { width: 320, height: 640 },
      });
      await small.page.getByRole('article').last().waitFor();
      expect([await axeFaults(small.page), await isTooWide(small.page), small.faults]).toEqual([[], false, []]);
      await small.close();
      expect(shown.faults).toEqual([]);
      await shown.close();
    });
  });
}
