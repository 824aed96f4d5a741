import { expect } from '@jest/globals';
import { axeFaults, isTooWide, visit, type Person } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/** A page as it is from right to left, in the dark, at 320 px: nothing cut off, nothing that axe or the console says. */
export async function expectSmallAndDark(world: AdminWorld, person: Person, path: string, shown: string) {
  const small = await visit(world, path, {
    person,
    locale: 'ar',
    colorScheme: 'dark',
    viewport: { width: 320, height: 640 },
  });
  await small.page.getByRole('heading', { level: 1 }).waitFor();
  await small.page.getByText(shown).filter({ visible: true }).first().waitFor();
  expect([path, await axeFaults(small.page), await isTooWide(small.page), small.faults]).toEqual([path, [], false, []]);
  await small.close();
}
