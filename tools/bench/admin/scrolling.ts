import type { CDPSession, Page } from 'playwright-core';
import { databaseIn, storeInbox } from '../../../services/admin/end-to-end/stored-inbox.ts';
import { newPerson, visit } from '../../../services/admin/end-to-end/visitor.ts';
import { percentile } from '../percentile.ts';
import type { Part } from './part.ts';

const stored = Number(process.env['BENCH_STORED'] ?? 100_000);
const seconds = 15;
/** A hand on a wheel, a finger that flings, one that flings again and again: pixels in a frame. */
const speeds = [60, 200, 600];
/** A scroll bar that is pulled over a list that is there whole. */
const pulled = 6_000;
/** So long all of a list may take to be loaded. */
const patienceMs = 900_000;

interface Scrolled {
  readonly frames: readonly number[];
  readonly elements: number;
  /** How far it came, pixels. */
  readonly way: number;
}

/** What scrolls. `first` finds the last row of all, once it is there. */
interface Shown {
  readonly what: string;
  readonly list: string;
  readonly scroller: string;
  readonly direction: 1 | -1;
  readonly first: string;
}

const lists: readonly Shown[] = [
  {
    what: 'conversations',
    list: 'ul[aria-label=Conversations]',
    scroller: 'list.parentElement',
    direction: 1,
    first: `list.querySelector('[aria-posinset="${stored}"]')`,
  },
  {
    what: 'messages of a chat',
    list: '[role=log]',
    scroller: 'list',
    direction: -1,
    first: `[...list.querySelectorAll('article')].find((one) => / ?Message 1( |$)/m.test(one.innerText))`,
  },
];

/** Frames of the list of conversations, and of a chat that is read backwards: while it is loaded, and when all of it is there. */
export const scrolling: Part = async (world) => {
  const owner = await newPerson(world);
  const { organizationId } = (await owner.tenant.call<{ organizationId: string }>('GET', '/auth/me')).body;
  const { id: profileId } = (await owner.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Bench' })).body;
  const database = databaseIn(world.dataDirectory);
  const chat = await storeInbox(database, { organizationId, profileId, conversations: stored, messages: stored });
  await database.end();
  const { page, close } = await visit(world, `/inbox/${chat}`, { person: owner, reducedMotion: 'no-preference' });
  await page.getByRole('article').first().waitFor();
  await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('listitem').first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const figures: object[] = [];
  const lines: string[] = [];
  const measure = async (shown: Shown, state: string, speed: number) => {
    const before = await processorMs(session);
    const { frames, elements, way } = await scroll(page, shown, speed);
    const cpu = ((await processorMs(session)) - before) / frames.length;
    const [p50, p95, most] = [percentile(frames, 0.5), percentile(frames, 0.95), Math.max(...frames)];
    figures.push({ what: shown.what, stored, state, speed, p50, p95, most, cpu, frames: frames.length, elements, way });
    lines.push(
      `  ${stored} ${shown.what}, ${state}, ${speed} px a frame: frames p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, at most ${most.toFixed(0)} ms, CPU ${cpu.toFixed(1)} ms each; at most ${elements} elements; ${way} px`,
    );
  };
  for (const shown of lists) {
    for (const speed of speeds) await measure(shown, 'while it is loaded', speed);
    const took = await loadAll(page, shown);
    figures.push({ what: shown.what, stored, loadedInSeconds: took });
    lines.push(`  ${stored} ${shown.what}: all of it loaded, from there on, in ${took.toFixed(0)} s`);
    for (const speed of [...speeds, pulled]) await measure(shown, 'all of it loaded', speed);
  }
  await close();
  return { figures, lines };
};

/** Processor time of the page's main thread until now, milliseconds: what other work of the machine takes is not in it. */
async function processorMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000;
}

/** Scrolls in the browser, in each frame by so much, from where it begins. */
const scroll = (page: Page, { list, scroller, direction }: Shown, speed: number): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`new Promise((resolve) => {
    const list = document.querySelector(${JSON.stringify(list)});
    const scroller = ${scroller};
    const frames = [];
    let elements = 0;
    let last;
    scroller.scrollTo(0, 0);
    const begun = performance.now();
    const tick = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      if (frames.length % 30 === 0) elements = Math.max(elements, list.querySelectorAll('*').length);
      if (now - begun > ${seconds * 1000}) return resolve({ frames, elements, way: Math.abs(Math.round(scroller.scrollTop)) });
      scroller.scrollBy(0, ${direction * speed});
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`);

/** Stands at the end until there is no further page. @returns seconds */
const loadAll = (page: Page, { list, scroller, direction, first }: Shown): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const list = document.querySelector(${JSON.stringify(list)});
    const scroller = ${scroller};
    const begun = performance.now();
    const tick = () => {
      const took = performance.now() - begun;
      if (${first}) return resolve(took / 1000);
      if (took > ${patienceMs}) return reject(new Error('It was not loaded in time.'));
      scroller.scrollTo(0, ${direction} * scroller.scrollHeight);
      setTimeout(tick, 20);
    };
    tick();
  })`);
