import type { Installation } from '../installation.ts';
import { send } from '../load.ts';
import { percentile } from '../percentile.ts';
import type { SimulatorProcess } from '../simulator-process.ts';
import { draft, over, start } from './broadcasting.ts';
import type { Audience } from './people.ts';

/** Direct sends of a profile beside a broadcast of it. Milliseconds from request to answer. */
export interface Beside {
  readonly alone: { readonly p50: number; readonly p99: number };
  readonly beside: { readonly p50: number; readonly p99: number };
  /** By number of messages of the broadcast that went out between the request and its own sending: how many direct sends. */
  readonly letPass: readonly number[];
}

const everyMs = 150;

/** One direct send after the other, first alone and then beside a broadcast. */
export async function besideBroadcast(
  installation: Installation,
  network: SimulatorProcess,
  audience: Audience,
): Promise<Beside> {
  const { sender, people } = audience;
  const alone = await sendOn(installation, audience, people.length / 5);
  const id = await draft(installation, audience);
  await start(installation, audience, id);
  const begun = Date.now();
  const running = over(installation, [{ audience, id }]);
  let isOver = false;
  void running.finally(() => (isOver = true)).catch(() => undefined);
  const sent = await sendOn(installation, audience, Infinity, () => isOver);
  await running;
  const shownTo = async (contact: string): Promise<number[]> =>
    (await network.control.messages(contact, { from: sender.phone }))
      .map(({ at }) => Date.parse(at))
      .filter((at) => at >= begun);
  const ofBroadcast = (await Promise.all(people.map(shownTo))).flat();
  const own = await shownTo(sender.contact);
  const letPass: number[] = [];
  for (const [index, { askedAt }] of sent.entries()) {
    const sentAt = own[index] ?? Number.NaN;
    const passed = ofBroadcast.filter((at) => at > askedAt && at < sentAt).length;
    letPass[passed] = (letPass[passed] ?? 0) + 1;
  }
  return {
    alone: latencies(alone),
    beside: latencies(sent),
    letPass: Array.from(letPass, (count) => count ?? 0),
  };
}

interface Sent {
  readonly took: number;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

const latencies = (sent: readonly Sent[]) => {
  const taken = sent.map(({ took }) => took);
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
};

async function sendOn(
  { host }: Installation,
  { sender }: Audience,
  count: number,
  isOver = () => false,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  while (sent.length < count && !isOver()) {
    const askedAt = Date.now();
    sent.push({ took: await send(host, sender), askedAt });
    await new Promise((resolve) => setTimeout(resolve, everyMs * Math.random()));
  }
  return sent;
}
