import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '@messaging-gateway/postgres';
import { browserProgram } from '@messaging-gateway/testing';
import { chromium } from 'playwright-core';
import { newPerson, password } from '../../../services/admin/end-to-end/visitor.ts';
import type { AdminWorld } from '../../../services/admin/end-to-end/world.ts';
import type { Part } from './part.ts';

/** Not among the packages of the project: with what it needs it has 176 MB. npm fetches it where it is asked for. */
const version = '13.5.0';
const categories = ['performance', 'accessibility', 'best-practices'] as const;
/** Each page is loaded so often; the middle one in performance counts. */
const times = 3;
const mostTries = 5;
/** Pages that follow what happens keep a request open, so that nothing else says when they are loaded. Milliseconds. */
const longestLoadMs = 15_000;
/** What each is to reach, of 100. */
const wanted = { performance: 95, accessibility: 100, 'best-practices': 100 };

interface Report {
  readonly categories: Readonly<
    Record<
      string,
      { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly numericValue?: number }>>;
}

/** Sign-in, overview and inbox as a telephone has them that has never been there, with the network and the processor that Lighthouse takes for one. */
export const lighthouse: Part = async (world) => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-lighthouse-'));
  try {
    if ((await run(['--version'], folder)) !== 0)
      return { figures: undefined, lines: ['  npm could not fetch Lighthouse: its figures are missing.'] };
    return await measured(world, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
};

async function measured(world: AdminWorld, folder: string): ReturnType<Part> {
  const owner = await newPerson(world);
  await owner.tenant.call('POST', '/profiles', { name: 'Bench' });
  const port = await freePort();
  const browser = await chromium.launchPersistentContext(join(folder, 'browser'), {
    executablePath: browserProgram() ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
  });
  const figures: object[] = [];
  const lines: string[] = [];
  try {
    for (const path of ['/sign-in', '/', '/inbox']) {
      if (path === '/') await signIn();
      const reports: Report[] = [];
      for (let tries = 0; reports.length < times && tries < mostTries; tries += 1)
        reports.push(...(await reportOf(path)));
      const sorted = reports.toSorted((one, other) => scoreOf(one, 'performance') - scoreOf(other, 'performance'));
      const report = sorted[Math.floor(sorted.length / 2)];
      if (report === undefined) throw new Error(`Lighthouse could not load ${path}.`);
      const scores = categories.map((name) => [name, scoreOf(report, name)] as const);
      const faults = scores.flatMap(([name, score]) => (score < wanted[name] ? faultsOf(report, name) : []));
      const all = sorted.map((one) => scoreOf(one, 'performance'));
      figures.push({ path, ...Object.fromEntries(scores), all, faults });
      const words = scores.map(([name, score]) => `${name} ${score}${score < wanted[name] ? ' (TOO LOW)' : ''}`);
      lines.push(
        `  ${path.padEnd(8)} ${words.join(', ')}; performance each time ${all.join(', ')}${faults.length > 0 ? `: ${faults.join(', ')}` : ''}`,
      );
    }
  } finally {
    await browser.close();
  }
  return { figures, lines };

  /** None where the page could not be recorded, as it happens on a busy machine. */
  async function reportOf(path: string): Promise<readonly Report[]> {
    const page = await browser.newPage();
    await (await browser.newCDPSession(page)).send('Network.clearBrowserCache');
    await page.close();
    const file = join(folder, 'report.json');
    const code = await run([...options(port, file), `${world.gateway.host}${path}`], folder);
    return code === 0 ? [JSON.parse(readFileSync(file, 'utf8')) as Report] : [];
  }

  async function signIn(): Promise<void> {
    const answer = await browser.request.post(`${world.gateway.host}/api/v1/auth/login`, {
      headers: { 'X-Admin-Session': '1' },
      data: { email: owner.email, password },
    });
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  }
}

const options = (port: number, file: string): readonly string[] => [
  `--port=${port}`,
  '--disable-storage-reset',
  `--max-wait-for-load=${longestLoadMs}`,
  `--only-categories=${categories.join(',')}`,
  '--output=json',
  `--output-path=${file}`,
  '--quiet',
];

const scoreOf = ({ categories: all }: Report, name: string): number => Math.round((all[name]?.score ?? 0) * 100);

/** Names of the audits that took points, with what they measured. */
const faultsOf = ({ categories: all, audits }: Report, name: string): readonly string[] =>
  (all[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${Number((audits[id]?.numericValue ?? 0).toPrecision(3))}`);

/** Runs Lighthouse by npm, with the Node.js of the project. @returns its exit code */
async function run(given: readonly string[], folder: string): Promise<number | null> {
  const child = spawn('npm', ['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', ...given], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
