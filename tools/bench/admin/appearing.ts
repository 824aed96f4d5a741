import { linkProfile } from '@messaging-gateway/testing';
import { newPerson, visit } from '../../../services/admin/end-to-end/visitor.ts';
import { percentile } from '../percentile.ts';
import type { Part } from './part.ts';

const codes = 10;
const messages = 50;
/** What each is to reach, milliseconds. */
const wanted = { code: 1_000, message: 500 };

/** How soon a page shows what somebody waits for. The times hold those of the program that clicks and looks, too. */
export const appearing: Part = async (world) => {
  const owner = await newPerson(world);
  const phone = '4915112390001';
  const contact = '4915112390002';
  await linkProfile(world, owner.tenant, phone);
  const { page, close } = await visit(world, '/inbox', { person: owner });
  const begin = async (text: string) => {
    const begun = performance.now();
    await world.network.sendFromContact(contact, { to: phone, text });
    return begun;
  };
  const article = (text: string) => page.getByRole('article').filter({ hasText: text });
  await begin('The first one.');
  await page.getByRole('link').filter({ hasText: 'The first one.' }).click();
  await article('The first one.').waitFor();
  const ofMessages: number[] = [];
  for (let at = 1; at <= messages; at += 1) {
    const begun = await begin(`Message ${at}.`);
    await article(`Message ${at}.`).waitFor();
    ofMessages.push(performance.now() - begun);
  }
  const ofCodes: number[] = [];
  for (let at = 1; at <= codes; at += 1) {
    const { id } = (await owner.tenant.call<{ id: string }>('POST', '/profiles', { name: `Bench ${at}` })).body;
    await page.goto(`/profiles/${id}`);
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.waitFor();
    const begun = performance.now();
    await connect.click();
    await page.getByRole('img', { name: 'QR code', exact: true }).waitFor();
    ofCodes.push(performance.now() - begun);
    await owner.tenant.call('POST', `/profiles/${id}/disconnect`);
  }
  await close();
  const line = (what: string, times: readonly number[], most: number) => {
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return `  ${what}, ${times.length} times: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms${p95 > most ? ' (TOO LATE)' : ''}`;
  };
  return {
    figures: { ofMessages, ofCodes },
    lines: [
      line('from the contact who sends to the message in its chat', ofMessages, wanted.message),
      line('from Connect to the QR code', ofCodes, wanted.code),
    ],
  };
};
