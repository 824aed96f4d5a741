import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { registerOwner } from '../load.ts';
import { percentile } from '../percentile.ts';
import { treeCpuMs } from '../process-cost.ts';
import type { Standalone } from '../standalone.ts';
import type { Part } from './part.ts';
import { databaseOf, storeMessages } from './stored-messages.ts';
import { takeIn } from './taking.ts';

const messages = Number(process.env['BENCH_MESSAGES'] ?? 1_000_000);
const requests = Number(process.env['BENCH_REQUESTS'] ?? 200);
const taken = Number(process.env['BENCH_TAKEN'] ?? 20_000);
const profiles = 10;
const contacts = 5000;

/** As a client asks for them; the second of each as it is with days of another zone. */
const routes: readonly string[] = [
  'dashboard',
  'dashboard?timezone=Asia/Kathmandu',
  'messages',
  'messages?timezone=Asia/Kathmandu',
  'messages/trend',
  'messages/trend?granularity=hour&timezone=Asia/Kathmandu',
  'contacts',
  'contacts?granularity=week&timezone=Asia/Kathmandu',
  'broadcasts',
  'automations',
  'response-time',
  'response-time?include=automation&timezone=Asia/Kathmandu',
];

/** Cost of statistics with many messages, and the time of their answers. */
export const statistics: Part = async ({ installation }) => {
  const owner = await registerOwner(installation);
  const credential = { credential: owner.token };
  const me = await installation.call<{ organizationId: string }>('GET', '/auth/me', undefined, credential);
  const { organizationId } = me.body;
  const profileIds: string[] = [];
  for (let number = 0; number < profiles; number += 1) {
    const made = await installation.call<{ id: string }>(
      'POST',
      '/profiles',
      { name: `Profile ${number}` },
      credential,
    );
    profileIds.push(made.body.id);
  }
  for (let from = 0; from < contacts; from += 1000) {
    const some = Array.from({ length: 1000 }, (_, n) => ({
      phone: `4924${1_000_000 + from + n}`,
      tags: [`tag ${n % 20}`],
    }));
    await installation.call('POST', '/contacts/import', { profileId: profileIds[0], contacts: some }, credential);
  }
  const { pool, pid } = databaseOf(installation);
  try {
    await storeMessages(pool, { organizationId, profileIds, messages });
    const rebuilding = await rebuild(installation);
    const isRecount = await equalsRecount(pool, organizationId);
    const asked: { readonly route: string; readonly first: number; readonly p50: number; readonly p95: number }[] = [];
    for (const route of routes) asked.push(await ask(installation, route, owner.token));
    const cost = await takeIn(pool, () => treeCpuMs(pid), taken);
    return {
      figures: { messages, rebuildSeconds: rebuilding, isRecount, asked, cost },
      lines: [
        `  views:rebuild of ${messages} messages: ${rebuilding.toFixed(0)} s; ${isRecount ? 'equal to a recount of the inbox' : 'NOT A RECOUNT OF THE INBOX'}`,
        ...asked.map(
          ({ route, first, p50, p95 }) =>
            `  ${route.padEnd(60)} first ${first.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
        ),
        `  taking in: ${cost.cpuMs.toFixed(3)} ms of CPU per message (PostgreSQL ${cost.postgresCpuMs.toFixed(3)}), ${cost.newsEach} news each, ${cost.atOnce} news in a batch`,
      ],
    };
  } finally {
    await pool.end();
  }
};

/** Seconds, of the command beside the gateway. */
async function rebuild({ directory }: Standalone): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['services/standalone/bin.mjs', 'views', 'insights'], {
    env: { ...process.env, DATA_DIR: directory },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`views:rebuild ended with ${code}`);
  return (performance.now() - begun) / 1000;
}

/** Counts by direction, type and status of each day, from the inbox and from statistics. */
async function equalsRecount(pool: pg.Pool, organizationId: string): Promise<boolean> {
  const { rows } = await pool.query(
    `WITH ours AS (
       SELECT day, profile_id, direction, type, status, sum(count)::int AS count FROM insights.message_days
        WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0
     ), theirs AS (
       SELECT date_trunc('day', "timestamp", 'UTC') AS day, profile_id, direction, type, status, count(*)::int AS count
         FROM inbox.messages WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5
     )
     (SELECT * FROM ours EXCEPT SELECT * FROM theirs) UNION ALL (SELECT * FROM theirs EXCEPT SELECT * FROM ours)`,
    [organizationId],
  );
  return rows.length === 0;
}

async function ask(installation: Standalone, route: string, credential: string) {
  const times: number[] = [];
  let first = 0;
  for (let number = 0; number < requests + 5; number += 1) {
    const begun = performance.now();
    const { status } = await installation.call('GET', `/statistics/${route}`, undefined, { credential });
    if (status !== 200) throw new Error(`${route} was answered ${status}`);
    const took = performance.now() - begun;
    if (number === 0) first = took;
    // The first ones find nothing prepared.
    if (number >= 5) times.push(took);
  }
  return { route, first, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
