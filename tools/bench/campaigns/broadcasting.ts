import type { Cost, Installation } from '../installation.ts';
import { send } from '../load.ts';
import type { Audience } from './people.ts';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly stats: { readonly total: number; readonly sent: number };
}

const text = 'A message of the usual length, about sixty characters long.';
const pauseMs = 1000;
/** Receipts that are still to come, milliseconds. */
const restMs = 2000;

/** Processor time of the product's processes, PostgreSQL and the brokers, milliseconds. */
export interface Sends {
  readonly perSecond: number;
  readonly cpuMsEach: number;
  readonly postgresCpuMsEach: number;
  readonly commitsEach: number;
}

/** Cost of messages to all the people, receipts included. @param send answers how many milliseconds they took */
async function costing(
  installation: Installation,
  audiences: readonly Audience[],
  send: () => Promise<number>,
): Promise<Sends> {
  const count = audiences.reduce((sum, { people }) => sum + people.length, 0);
  const before = await installation.cost();
  const took = await send();
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const after = await installation.cost();
  const each = (part: keyof Cost): number => (after[part] - before[part]) / count;
  return {
    perSecond: (1000 * count) / took,
    cpuMsEach: each('services') + each('postgres') + each('brokers'),
    postgresCpuMsEach: each('postgres'),
    commitsEach: each('commits'),
  };
}

/** One client of each profile writes to all its people, one after the other. */
export const directSends = (installation: Installation, audiences: readonly Audience[]): Promise<Sends> =>
  costing(installation, audiences, async () => {
    const started = performance.now();
    await Promise.all(
      audiences.map(async ({ sender, people }) => {
        for (const contact of people) await send(installation.host, { ...sender, contact });
      }),
    );
    return performance.now() - started;
  });

/** A broadcast of each profile to all its people, without delays, from the first start to the last end. */
export async function broadcastSends(installation: Installation, audiences: readonly Audience[]): Promise<Sends> {
  const drafts = await Promise.all(audiences.map((audience) => draft(installation, audience)));
  return costing(installation, audiences, () => broadcast(installation, audiences, drafts));
}

async function broadcast(
  installation: Installation,
  audiences: readonly Audience[],
  drafts: readonly string[],
): Promise<number> {
  const own = audiences.map((audience, index) => ({ audience, id: drafts[index] ?? '' }));
  await Promise.all(own.map(({ audience, id }) => start(installation, audience, id)));
  const ended = await over(installation, own);
  const from = Math.min(...ended.map(({ startedAt }) => Date.parse(startedAt ?? '')));
  const until = Math.max(...ended.map(({ completedAt }) => Date.parse(completedAt ?? '')));
  return until - from;
}

/** A broadcast that nothing holds up but sending. @returns its id */
export async function draft(installation: Installation, { sender, tag }: Audience): Promise<string> {
  const body = {
    profileId: sender.profileId,
    name: `To ${tag}`,
    message: { type: 'text', text },
    recipients: { type: 'tags', value: [tag] },
    settings: { delayMin: 0, delayMax: 0 },
  };
  const made = await installation.call<Shown>('POST', '/broadcast', body, { credential: sender.token });
  if (made.status !== 201) throw new Error(`A draft was answered ${JSON.stringify(made)}`);
  return made.body.id;
}

export async function start(installation: Installation, { sender }: Audience, id: string): Promise<void> {
  const credential = sender.token;
  const answer = await installation.call<Shown>('POST', `/broadcast/${id}/start`, undefined, { credential });
  if (answer.status !== 200) throw new Error(`A start was answered ${JSON.stringify(answer)}`);
}

interface Started {
  readonly audience: Audience;
  readonly id: string;
}

/** Waits until none runs any more, with few questions, as these cost something too. @throws Error when one has not sent to all */
export async function over(installation: Installation, started: readonly Started[]): Promise<Shown[]> {
  const credential = started[0]?.audience.sender.token ?? '';
  const ask = async <Body>(path: string): Promise<Body> =>
    (await installation.call<Body>('GET', path, undefined, { credential })).body;
  while ((await ask<{ total: number }>('/broadcast?status=running&limit=1')).total > 0)
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  return Promise.all(
    started.map(async ({ audience, id }) => {
      const shown = await ask<Shown>(`/broadcast/${id}`);
      if (shown.status !== 'completed' || shown.stats.sent !== audience.people.length)
        throw new Error(`A broadcast has ended as ${JSON.stringify(shown)}`);
      return shown;
    }),
  );
}
