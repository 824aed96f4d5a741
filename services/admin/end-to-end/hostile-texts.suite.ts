import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile } from '@messaging-gateway/testing';
import type { Page } from 'playwright-core';
import { databaseIn, storeInbox } from './stored-inbox.ts';
import { isTooWide, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

const markup = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
/** Markup, an override that is never ended, the end of an isolate that is none of its own, a link that runs a script. */
const hostile = `${markup} a\u2069\u202Egnp.exe javascript:window.ran=1`;
const longest = 65_536;

/** Texts on the page in which letters of left-to-right words do not stand in their order: an override has spilled over them. */
const spilled = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const at = (node, index) => {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect();
    };
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const start = node.data.search(/[A-Za-z]{2}/);
      if (start < 0 || /[\\u0590-\\u08FF\\u202A-\\u202E\\u2066-\\u2069]/.test(node.data)) continue;
      const [one, other] = [at(node, start), at(node, start + 1)];
      if (one.width > 0 && other.width > 0 && one.top === other.top && one.left > other.left) found.push(node.data);
    }
    return found;
  })()`);

/** Names and texts that would like to be more than that. */
export function hostileTexts(at: () => AdminWorld): void {
  describe('names and texts that are hostile', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    const addresses: Record<string, string> = {};

    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      const { call } = ada.tenant;
      const phone = '4915112391001';
      const made = async (path: string, body: object): Promise<string> => {
        const answer = await call<{ id: string }>('POST', path, body);
        if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body.id;
      };
      const { profileId } = await linkProfile(world, ada.tenant, phone, { name: hostile.slice(0, 100) });
      const contact = await made('/contacts', { phone: '+4915112391002', name: hostile, tags: [hostile.slice(0, 60)] });
      const group = await made('/groups', {
        profileId,
        name: `a\u2069\u202E${markup}`.slice(0, 100),
        participants: ['4915112391003'],
      });
      const flow = {
        profileId,
        name: hostile,
        trigger: { type: 'keyword', value: [hostile] },
        action: { type: 'send', message: { type: 'text', text: hostile } },
      };
      const flowId = await made('/automation', flow);
      await made('/templates', {
        messageType: 'text',
        name: hostile,
        content: { text: `${hostile} {{name}} ${'W'.repeat(60_000)}` },
      });
      const { organizationId } = (await call<{ organizationId: string }>('GET', '/auth/me')).body;
      const database = databaseIn(world.dataDirectory);
      const chat = await storeInbox(database, { organizationId, profileId, conversations: 3, messages: 6 });
      await database.query(
        "UPDATE inbox.conversations SET name = $2 WHERE organization_id = $1 AND name LIKE 'Many%'",
        [organizationId, hostile],
      );
      await database.query(
        "UPDATE inbox.conversations SET name = $2 WHERE organization_id = $1 AND name LIKE 'Person%'",
        [organizationId, 'W'.repeat(longest)],
      );
      await database.query(
        `UPDATE inbox.messages SET content = jsonb_build_object('type', 'text', 'text', CASE WHEN direction = 'incoming' THEN $2 ELSE $3 END)
          WHERE organization_id = $1`,
        [organizationId, hostile, `${hostile} ${'W'.repeat(longest - hostile.length - 1)}`],
      );
      await database.end();
      Object.assign(addresses, {
        contacts: '/contacts',
        contact: `/contacts/${contact}`,
        groups: '/groups',
        group: `/groups/${profileId}/${encodeURIComponent(group)}`,
        flows: '/automation',
        flow: `/automation/${flowId}`,
        templates: '/templates',
        profiles: '/profiles',
        conversations: '/inbox',
        chat: `/inbox/${chat}`,
        messages: '/messages',
      });
      shown = await visit(world, '/', { person: ada, viewport: { width: 320, height: 700 } });
    }, 600_000);
    afterAll(() => shown?.close());

    it.each([
      'contacts',
      'contact',
      'groups',
      'group',
      'flows',
      'flow',
      'templates',
      'profiles',
      'conversations',
      'chat',
      'messages',
    ])(
      'are texts on the page of %s: no script runs, nothing is cut off, nothing beside them is turned',
      async (name) => {
        const { page, faults } = shown;
        await page.goto(addresses[name] ?? '');
        const main = page.getByRole('main');
        await main.getByText('onerror').filter({ visible: true }).first().waitFor();
        expect(await page.evaluate('[window.ran, document.querySelectorAll("a[href^=javascript]").length]')).toEqual([
          undefined,
          0,
        ]);
        expect([await isTooWide(page), await spilled(page), faults]).toEqual([false, [], []]);
        await page.setViewportSize({ width: 1280, height: 900 });
        expect([await isTooWide(page), await spilled(page)]).toEqual([false, []]);
        await page.setViewportSize({ width: 320, height: 700 });
      },
    );

    it('of 65,536 characters are shown in part first, and whole when somebody asks', async () => {
      const { page } = shown;
      await page.goto(addresses['chat'] ?? '');
      const log = page.getByRole('log', { name: 'Messages', exact: true });
      await log.getByRole('button', { name: 'Show all', exact: true }).last().click();
      await page.waitForFunction(
        `[...document.querySelectorAll('article')].some((one) => one.textContent.length > ${longest})`,
      );
      expect([await isTooWide(page), shown.faults]).toEqual([false, []]);
    });
  });
}
