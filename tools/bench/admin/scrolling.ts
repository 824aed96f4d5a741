import type { Page } from 'playwright-core';
import { databaseIn, storeInbox } from '../../../services/admin/end-to-end/stored-inbox.ts';
import { newPerson, visit } from '../../../services/admin/end-to-end/visitor.ts';
import { percentile } from '../percentile.ts';
import type { Part } from './part.ts';

const stored = Number(process.env['BENCH_STORED'] ?? 100_000);
const seconds = 15;
/** A hand on a wheel, a finger that flings, a scroll bar that is pulled: pixels in a frame. */
const speeds = [60, 200, 600];

interface Scrolled {
  readonly frames: readonly number[];
  readonly elements: number;
  /** Where it came to, pixels. */
  readonly way: number;
}

/** Frames of the list of conversations, and of a chat that is read backwards. */
export const scrolling: Part = async (world) => {
  const owner = await newPerson(world);
  const { organizationId } = (await owner.tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
  const { id: profileId } = (await owner.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Bench' })).body;
  const database = databaseIn(world.dataDirectory);
  const chat = await storeInbox(database, { organizationId, profileId, conversations: stored, messages: stored });
  await database.end();
  const { page, close } = await visit(world, `/inbox/${chat}`, { person: owner });
  await page.getByRole('article').first().waitFor();
  await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('listitem').first().waitFor();
  const figures: object[] = [];
  const lines: string[] = [];
  for (const [what, where, sign] of [
    ['conversations', 'ul[aria-label=Conversations]', 1],
    ['messages of a chat', '[role=log]', -1],
  ] as const)
    for (const speed of speeds) {
      const { frames, elements, way } = await scroll(page, where, sign * speed);
      const [p50, p95] = [percentile([...frames], 0.5), percentile([...frames], 0.95)];
      figures.push({ what, stored, speed, p50, p95, frames: frames.length, elements, way });
      lines.push(
        `  ${stored} ${what}, ${speed} px a frame: frames p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; at most ${elements} elements; ${way} px far`,
      );
    }
  await close();
  return { figures, lines };
};

/** Scrolls in the browser, in each frame by so much. */
const scroll = (page: Page, where: string, step: number): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`new Promise((resolve) => {
    const list = document.querySelector(${JSON.stringify(where)});
    const scroller = list.role === 'log' ? list : list.parentElement;
    const frames = [];
    let elements = 0;
    let last;
    const begun = performance.now();
    const tick = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      if (frames.length % 30 === 0) elements = Math.max(elements, list.querySelectorAll('*').length);
      if (now - begun > ${seconds * 1000}) return resolve({ frames, elements, way: Math.abs(Math.round(scroller.scrollTop)) });
      scroller.scrollBy(0, ${step});
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`);
