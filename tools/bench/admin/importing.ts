import { newPerson, visit } from '../../../services/admin/end-to-end/visitor.ts';
import type { Part } from './part.ts';

const rows = Number(process.env['BENCH_ROWS'] ?? 100_000);
/** Requests of which one arrives, and its answer is lost, and of which the next does not arrive. */
const lost = 8;

/** A large file of contacts through the page, over a connection that is lost in its middle. */
export const importing: Part = async (world) => {
  const owner = await newPerson(world);
  const { page, close } = await visit(world, '/contacts/import', { person: owner });
  let asked = 0;
  await page.route('**/contacts/import/csv', async (route) => {
    asked += 1;
    if (asked === lost) await route.fetch();
    if (asked === lost || asked === lost + 1) return route.abort();
    return route.continue();
  });
  const lines = Array.from({ length: rows }, (_, row) => `${491_600_000_000 + row},"Person ${row}"`);
  await page.getByLabel('CSV file', { exact: true }).setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`phone,name\n${lines.join('\n')}\n`),
  });
  const begun = performance.now();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const resume = page.getByRole('button', { name: 'Resume', exact: true });
  const done = page.getByText('The import is done.', { exact: true });
  let resumed = 0;
  for (;;) {
    await resume.or(done).first().waitFor({ timeout: 600_000 });
    if (await done.isVisible()) break;
    const before = asked;
    await resume.click();
    resumed += 1;
    // The button may be gone for a moment only: a request that does not arrive breaks off at once.
    while (asked === before) await page.waitForTimeout(20);
  }
  const took = (performance.now() - begun) / 1000;
  const said = await page.getByRole('status').filter({ hasText: 'created' }).textContent();
  const { total } = (await owner.tenant.call<{ total: number }>('GET', '/contacts?limit=1')).body;
  await close();
  return {
    figures: { rows, took, requests: asked, resumed, said, stored: total },
    lines: [
      `  ${rows} rows in ${took.toFixed(0)} s, ${asked} requests, resumed ${resumed} times: ${said}; ${total === rows ? 'each is stored once' : `${total} ARE STORED`}`,
    ],
  };
};
