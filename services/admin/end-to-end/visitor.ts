import { eventually, type Tenant } from '@messaging-gateway/testing';
import axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { AdminWorld } from './world.ts';

/** A person with an organization of the own, who can sign in. */
export interface Person {
  readonly email: string;
  readonly tenant: Tenant;
}

export const password = 'correct horse battery';
/** Waits for the network, on a busy machine. Milliseconds. */
const patienceMs = 120_000;

let people = 0;

/** Registers somebody new. */
export async function newPerson({ gateway }: AdminWorld): Promise<Person> {
  people += 1;
  const email = `visitor-${people}@example.com`;
  const body = { email, password, name: `Visitor ${people}` };
  const answer = await gateway.call<{ accessToken: string }>('POST', '/auth/register', body);
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}`);
  const token = answer.body.accessToken;
  const call: Tenant['call'] = (method, path, given, headers) =>
    gateway.call(method, path, given, { credential: token, ...(headers && { headers }) });
  const accountId = await eventually(
    async () => (await call<{ items: { id: string }[] }>('GET', '/accounts')).body.items[0]?.id,
  );
  return { email, tenant: { token, accountId, call } };
}

export interface Visit {
  readonly page: Page;
  /** Messages on the page's console, errors of scripts, and refusals of its policy; refusals of the API are none. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

interface VisitOptions extends BrowserContextOptions {
  /** The person who is signed in. Absent: nobody. */
  readonly person?: Person;
  /** Runs in each page before all else. */
  readonly script?: string;
}

/** Opens a page of the gateway in a browser of its own. */
export async function visit(
  { gateway, browser }: Pick<AdminWorld, 'gateway' | 'browser'>,
  path: string,
  { person, script, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: gateway.host,
    viewport: { width: 1280, height: 900 },
    // What moves is waited for before it is pressed.
    reducedMotion: 'reduce',
    ...options,
  });
  if (person !== undefined) {
    const answer = await context.request.post('/api/v1/auth/login', {
      headers: { 'X-Admin-Session': '1' },
      data: { email: person.email, password },
    });
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  }
  if (script !== undefined) await context.addInitScript(script);
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (said) => {
    const text = said.text();
    if (said.type() === 'error' && !/the server responded with a status of \d{3}|net::ERR_/.test(text))
      faults.push(text);
    if (said.type() === 'warning' && !/preload/.test(text)) faults.push(text);
  });
  await page.goto(path);
  return { page, faults, close: () => context.close() };
}

/** Waits until something is to be seen. @throws Error with what is to be seen around it instead */
export async function visible(sought: Locator, around: Locator): Promise<void> {
  try {
    await sought.waitFor();
  } catch (error) {
    throw new Error(`There is only: ${await around.innerText()}`, { cause: error });
  }
}

/** Faults that axe finds on a page, by rule and place. It is put there once, and reports on nothing else. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('typeof axe === "object"'))) await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Whether anything is cut off at the side. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
