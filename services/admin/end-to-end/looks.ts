import { expect } from '@jest/globals';
import { axeFaults, isTooWide, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** The small window of a person, kept open: another one costs more than all that is looked at in it. */
let last: { readonly person: Person; readonly visit: Visit } | undefined;

async function smallWindow(world: AdminWorld, person: Person): Promise<Visit> {
  if (last?.person === person) return last.visit;
  await last?.visit.close();
  const options = { person, locale: 'ar', viewport: { width: 320, height: 640 } };
  last = { person, visit: await visit(world, '/', options) };
  return last.visit;
}

/** A page as it is from right to left at 320 px: nothing cut off, nothing that axe or the console says. */
export async function expectSmall(
  world: AdminWorld,
  person: Person,
  path: string,
  { shown, colorScheme }: { readonly shown?: string; readonly colorScheme: 'light' | 'dark' },
): Promise<void> {
  const { page, faults } = await smallWindow(world, person);
  await page.emulateMedia({ colorScheme });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const there = shown === undefined ? page.getByRole('table') : page.getByText(shown).filter({ visible: true });
  await there.first().waitFor();
  const direction = await page.getAttribute('html', 'dir');
  expect([path, direction, await axeFaults(page), await isTooWide(page), faults]).toEqual([path, 'rtl', [], false, []]);
  // What nobody looks at reads no messages and asks for nothing.
  await page.goto('about:blank');
}

/** The same in the dark. */
export const expectSmallAndDark = (world: AdminWorld, person: Person, path: string, shown: string): Promise<void> =>
  expectSmall(world, person, path, { shown, colorScheme: 'dark' });
