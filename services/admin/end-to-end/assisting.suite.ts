import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, startAiProvider, type FakeAiProvider } from '@messaging-gateway/testing';
import { expectSmallAndDark } from './looks.ts';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** AI and templates beside the composer; AI that answers by itself; with a provider that is asked. */
export function assisting(at: () => AdminWorld): void {
  describe('help with messages', () => {
    const [own, customer] = ['4915112386001', '4915112386002'];
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    let provider: FakeAiProvider;
    let profileId: string;
    let site: Server;

    beforeAll(async () => {
      world = at();
      [ada, provider] = await Promise.all([newPerson(world), startAiProvider()]);
      ({ profileId } = await linkProfile(world, ada.tenant, own));
      site = createServer((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>On Sundays we bake until noon.</p>'),
      );
      await once(site.listen(0, '127.0.0.1'), 'listening');
      const settings = { baseUrl: provider.baseUrl, apiKey: 'sk-unseen', model: 'small' };
      expect((await ada.tenant.call('PUT', '/settings/ai', settings)).status).toBe(200);
      await ada.tenant.call('POST', '/templates', {
        name: 'Parcel',
        category: 'utility',
        messageType: 'text',
        content: { text: 'Hello {{name}}, parcel {{number|unknown}} is on its way' },
      });
      await world.network.sendFromContact(customer, { to: own, text: 'When do you open?' });
      shown = await visit(world, '/inbox', { person: ada });
      await shown.page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').first().click();
    }, 600_000);
    afterAll(async () => {
      site?.closeAllConnections();
      site?.close();
      await Promise.all([shown?.close(), provider?.stop()]);
    });

    const composer = () => shown.page.getByRole('textbox', { name: 'Message', exact: true });
    const dialog = (name: string) => shown.page.getByRole('dialog', { name, exact: true });
    const article = (text: string) => shown.page.getByRole('article').filter({ hasText: text });
    const choose = async (menu: string, item: string) => {
      await shown.page.getByRole('button', { name: menu, exact: true }).first().click();
      await shown.page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const written = (text: string) =>
      eventually(async () => ((await composer().inputValue()) === text ? true : undefined));

    it('suggests a reply to what was written, which is sent by nobody but a person, and gives back what stood there', async () => {
      const { page } = shown;
      await article('When do you open?').waitFor();
      await composer().fill('Mine');
      provider.replyWith(() => 'We open at nine.');
      await choose('AI', 'Suggest a reply');
      await written('We open at nine.');
      expect(JSON.stringify(provider.asked.at(-1)?.body.messages)).toContain('When do you open?');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await written('Mine');
      expect(await world.network.messages(customer)).toEqual([]);
      expect(await axeFaults(page)).toEqual([]);
    });

    it('finishes and translates what was written, and says why it could not', async () => {
      const { page } = shown;
      provider.replyWith(({ messages }) => `${String(messages?.at(-1)?.content)}, finished`);
      await choose('AI', 'Finish the text');
      await written('Mine, finished');
      provider.replyWith(() => 'Milik saya');
      await choose('AI', 'Translate the text');
      const form = dialog('Translate the text');
      await form.getByRole('textbox', { name: 'Into the language', exact: true }).fill('<b>');
      await form.getByRole('button', { name: 'Translate', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('textbox', { name: 'Into the language', exact: true }).fill('Indonesian');
      await form.getByRole('button', { name: 'Translate', exact: true }).click();
      await written('Milik saya');
      provider.next('not-permitted');
      await choose('AI', 'Finish the text');
      await page
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await composer().inputValue()).toBe('Milik saya');
      await composer().fill('');
    });

    it('translates a message, and says how it sounds', async () => {
      const { page } = shown;
      provider.replyWith(() => 'Kapan buka?');
      await choose('Message actions', 'Translate');
      await article('When do you open?').getByText('Kapan buka?', { exact: true }).waitFor();
      provider.replyWith(() => '{"sentiment":"negative","confidence":0.5}');
      await choose('Message actions', 'How does it sound?');
      await article('When do you open?').getByText('It sounds annoyed (50 %).', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await article('When do you open?').getByRole('button', { name: 'Hide', exact: true }).click();
      await page.getByText('Kapan buka?', { exact: true }).waitFor({ state: 'detached' });
    });

    it('sends a template, filled and seen before', async () => {
      const { page } = shown;
      await choose('Attach', 'Template');
      const form = dialog('Template');
      await form.getByRole('combobox', { name: 'Template', exact: true }).selectOption({ label: 'Parcel' });
      await form.getByRole('status').filter({ hasText: 'Missing: name' }).waitFor();
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      await form.getByRole('textbox', { name: 'name', exact: true }).fill('Ben');
      await form.getByRole('textbox', { name: 'number', exact: true }).focus();
      await form.getByText('Hello Ben, parcel unknown is on its way', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await article('Hello Ben, parcel unknown is on its way').getByText('Delivered', { exact: true }).waitFor();
      await expectSmallAndDark(world, ada, new URL(page.url()).pathname, 'When do you open?');
    });

    it('lets AI answer by itself, asked who would, and loses its key alone', async () => {
      const { page } = shown;
      await page.goto('/auto-replies');
      await page.getByRole('button', { name: 'Set AI', exact: true }).click();
      const form = dialog('Set AI');
      await form.getByRole('textbox', { name: 'What the model is told', exact: true }).fill('Be kind.');
      await form.getByRole('textbox', { name: 'Tools of your own (JSON, optional)', exact: true }).fill('[');
      await form.getByLabel('API key of the provider', { exact: true }).fill('sk-own');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await form
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      const tools = form.getByRole('textbox', { name: 'Tools of your own (JSON, optional)', exact: true });
      expect(await tools.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFaults(page)).toEqual([]);
      await tools.fill('');
      await form.getByRole('checkbox', { name: 'Leave the chat to people', exact: true }).check();
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The model of the settings', { exact: true }).waitFor();
      const kept = async () => (await ada.tenant.call('GET', `/autoreply/ai-hook/${profileId}`)).body;
      expect(await kept()).toMatchObject({
        config: { hasApiKey: true, tools: ['handover'], systemPrompt: 'Be kind.' },
      });
      await page.getByRole('button', { name: 'Set AI', exact: true }).click();
      await form.getByRole('checkbox', { name: 'Remove what is kept: API key of the provider', exact: true }).check();
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await form.waitFor({ state: 'detached' });
      expect(await kept()).toMatchObject({ config: { hasApiKey: false, tools: ['handover'] } });
      await page.getByRole('button', { name: 'Who would answer', exact: true }).click();
      const asked = dialog('Who would answer');
      await asked.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello?');
      await asked.getByRole('button', { name: 'Ask', exact: true }).click();
      await asked.getByRole('row').filter({ hasText: 'AI' }).filter({ hasText: 'Answers' }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      provider.replyWith(() => 'By itself.');
      const before = provider.asked.length;
      await world.network.sendFromContact(customer, { to: own, text: 'And on Sundays?' });
      await provider.waitForAsked(before + 1);
      await expectSmallAndDark(world, ada, '/auto-replies', 'ذكاء اصطناعي يجيب');
    });

    it('knows what stands on a page, answers by it with where it has it from, and loses the key of the settings alone', async () => {
      const { page } = shown;
      await page.goto('/ai');
      await page.getByRole('button', { name: 'Add knowledge', exact: true }).click();
      const adding = dialog('Add knowledge');
      await adding.getByRole('radio', { name: 'URL', exact: true }).check();
      const url = adding.getByRole('textbox', { name: 'URL', exact: true });
      await url.fill('ftp://nowhere');
      await adding.getByRole('button', { name: 'Add', exact: true }).click();
      await adding
        .getByRole('alert')
        .getByText(/Request ID: /)
        .waitFor();
      expect(await url.getAttribute('aria-invalid')).toBe('true');
      await url.fill(`http://127.0.0.1:${(site.address() as AddressInfo).port}/hours`);
      await adding.getByRole('textbox', { name: 'Name (optional)', exact: true }).fill('Hours');
      await adding.getByRole('button', { name: 'Add', exact: true }).click();
      const known = page
        .getByRole('table', { name: 'Knowledge', exact: true })
        .getByRole('row')
        .filter({ hasText: 'Hours' });
      await known.filter({ hasText: 'Ready' }).waitFor();
      provider.replyWith(() => 'Until noon.');
      await page.getByRole('textbox', { name: 'What somebody writes', exact: true }).fill('Do you bake on Sundays?');
      await page.getByRole('button', { name: 'Ask AI', exact: true }).click();
      const answer = page.getByRole('status', { name: 'Answer', exact: true });
      await answer.getByText('Until noon.', { exact: true }).waitFor();
      const cited = answer.getByRole('listitem').filter({ hasText: 'Hours' });
      await cited.getByText(/we bake until noon/).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'AI settings', exact: true }).click();
      const form = dialog('AI settings');
      await form.getByRole('checkbox', { name: 'Remove what is kept: API key of the provider', exact: true }).check();
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      await form.waitFor({ state: 'detached' });
      expect((await ada.tenant.call('GET', '/settings/ai')).body).toMatchObject({ hasApiKey: false, model: 'small' });
      expect(shown.faults).toEqual([]);
    });
  });
}
