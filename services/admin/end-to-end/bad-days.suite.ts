import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

type Answer = Parameters<Route['fulfill']>[0];

const refused = (status: number, code: string, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  json: { success: false, error: { code, message, requestId: 'request-1' } },
});
const page502 = '<html><body><h1>502 Bad Gateway</h1><script>alert(1)</script></body></html>';

/** Answers to a write, and what then stands in the dialog. */
const answers: readonly (readonly [name: string, answer: Answer, role: 'alert' | 'status', words: RegExp])[] = [
  ['403', refused(403, 'FORBIDDEN', 'Not for you.'), 'alert', /Not for you\..*profile:create.*Request ID: request-1/],
  ['404', refused(404, 'NOT_FOUND', 'It is gone.'), 'alert', /It is gone\..*Request ID: request-1/],
  ['409', refused(409, 'CONFLICT', 'The name is taken.'), 'alert', /The name is taken\..*Request ID: request-1/],
  [
    '429 of the throttles',
    refused(429, 'RATE_LIMITED', 'Too much.', { 'retry-after': '30' }),
    'alert',
    /Too much\..*\d+ s.*Request ID: request-1/,
  ],
  [
    '429 of the daily limit',
    { status: 429, json: { error: 'DAILY_LIMIT_REACHED', limit: 20, count: 20, resetAt: '2026-01-02T00:00:00+07:00' } },
    'alert',
    /daily limit allows/,
  ],
  [
    '403 of the demo mode',
    { status: 403, json: { statusCode: 403, error: 'Demo Mode', message: 'Off.', demoMode: true } },
    'status',
    /This is a demo/,
  ],
  ['503', refused(503, 'SERVICE_UNAVAILABLE', 'A part is away.'), 'alert', /A part is away\..*Request ID: request-1/],
  ['504', refused(504, 'TIMEOUT', 'It took too long.'), 'alert', /It took too long\..*Request ID: request-1/],
  [
    "a proxy's 502",
    { status: 502, contentType: 'text/html', body: page502 },
    'alert',
    /instead of it \(status 502\)\./,
  ],
];

/** What goes wrong around the pages, and what they then say and keep. */
export function badDays(at: () => AdminWorld): void {
  describe('bad days', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      shown = await visit(world, '/profiles', { person: ada });
    }, 600_000);
    afterAll(() => shown?.close());

    const profiles = () =>
      ada.tenant.call<{ items: { name: string }[] }>('GET', '/profiles').then(({ body }) => body.items);

    it('say of each answer what it is, and keep what was typed', async () => {
      const { page } = shown;
      await page.getByRole('button', { name: 'Create profile', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create profile', exact: true });
      const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill('Kept');
      for (const [kind, answer, role, words] of answers) {
        await page.route('**/api/v1/profiles', (route) => route.fulfill(answer), { times: 1 });
        await dialog.getByRole('button', { name: 'Create', exact: true }).click();
        await dialog.getByRole(role).filter({ hasText: words }).waitFor();
        expect([kind, await name.inputValue()]).toEqual([kind, 'Kept']);
      }
      expect(await profiles()).toEqual([]);
    });

    it('of a list are said, with a way to try again', async () => {
      const { page } = shown;
      await page.route('**/api/v1/broadcast*', (route) =>
        route.fulfill(refused(503, 'SERVICE_UNAVAILABLE', 'A part is away.', { 'retry-after': '600' })),
      );
      await page.goto('/broadcasts');
      const alert = page.getByRole('main').getByRole('alert');
      await alert.getByText('Request ID: request-1').waitFor();
      await alert.getByRole('button', { name: 'Try again', exact: true }).waitFor();
      await page.unrouteAll();
      // By itself the page asks again after 90 s.
      const asked = page.waitForRequest('**/api/v1/broadcast*', { timeout: 60_000 });
      await alert.getByRole('button', { name: 'Try again', exact: true }).click();
      await asked;
      await page.getByRole('heading', { level: 2, name: /^No / }).waitFor();
      expect(await alert.count()).toBe(0);
    });

    const inLists: readonly (readonly [
      name: string,
      answer: Answer,
      role: 'alert' | 'status' | 'heading',
      words: RegExp,
    ])[] = [
      ...answers
        .filter(([name]) => name !== '403')
        .map(([name, answer, role, words]) => [name, answer, role, words] as const),
      ['403', refused(403, 'FORBIDDEN', 'Not for you.'), 'heading', /^Not allowed$/],
    ];
    it('of a list are what they are, whatever answers', async () => {
      const { page } = shown;
      for (const [, answer, role, words] of inLists) {
        await page.route('**/api/v1/templates*', (route) => route.fulfill(answer));
        await page.goto('/templates');
        await page.getByRole('main').getByRole(role).filter({ hasText: words }).waitFor();
        expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Templates']);
        await page.unrouteAll();
      }
      expect(shown.faults).toEqual([]);
    });

    it('of a new build: a tab that is open loads itself again, once', async () => {
      const { page } = shown;
      let asked = 0;
      await page.route(
        /\/assets\/page-notifications-[^/]*\.js$/,
        (route) => {
          asked += 1;
          return route.fulfill({ status: 404, contentType: 'application/json', body: '{}' });
        },
        { times: 1 },
      );
      await page.getByRole('navigation').getByRole('link', { name: 'Notifications', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Notifications', exact: true }).waitFor();
      expect(asked).toBe(1);
    });
  });
}
