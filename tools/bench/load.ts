import { Pool } from 'undici';
import type { Cost, Installation } from './installation.ts';
import { percentile } from './percentile.ts';
import type { GatewayResult } from './results.ts';
import type { SimulatorProcess } from './simulator-process.ts';

/** A linked profile with the token of its owner. */
export interface Sender {
  readonly token: string;
  readonly profileId: string;
  readonly phone: string;
  readonly contact: string;
}

const text = 'A message of the usual length, about sixty characters long.';

/** The person whose organization everything belongs to. */
export interface Owner {
  readonly token: string;
  readonly accountId: string;
}

export async function registerOwner(installation: Installation): Promise<Owner> {
  const registered = await installation.call<{ accessToken: string }>('POST', '/auth/register', {
    email: 'bench@example.com',
    password: 'correct horse battery',
    name: 'Bench',
  });
  const token = registered.body.accessToken;
  const accounts = await installation.call<{ items: { id: string }[] }>('GET', '/accounts', undefined, {
    credential: token,
  });
  return { token, accountId: accounts.body.items[0]?.id ?? '' };
}

let phones = 0;

/**
 * Links so many further profiles, each with one warm contact.
 *
 * @param after number of the last phone that was used; default: those of this process
 */
export async function linkSenders(
  installation: Installation,
  network: SimulatorProcess,
  { token, accountId }: Owner,
  count: number,
  after = phones,
): Promise<Sender[]> {
  phones = after;
  const senders: Sender[] = [];
  for (let index = 0; index < count; index += 1) {
    const sender = await linkSender(installation, network, token, accountId, index);
    await send(installation.host, sender);
    senders.push(sender);
  }
  return senders;
}

async function linkSender(
  gateway: Installation,
  network: SimulatorProcess,
  token: string,
  accountId: string,
  index: number,
): Promise<Sender> {
  phones += 1;
  const [phone, contact] = [`4922${String(phones).padStart(7, '0')}`, `4923${String(phones).padStart(7, '0')}`];
  const made = await gateway.call<{ id: string }>(
    'POST',
    '/profiles',
    { name: `Bench ${index}`, messageDelayMs: 0 },
    { credential: token },
  );
  const profileId = made.body.id;
  await gateway.call('POST', `/profiles/${profileId}/connect`, undefined, { credential: token });
  await network.control.createPhone({ phone });
  for (let tries = 0; ; tries += 1) {
    const answer = await gateway.call<{ qr: string }>(
      'GET',
      `/accounts/${accountId}/profiles/${profileId}/qr`,
      undefined,
      { credential: token },
    );
    if (answer.status === 200) {
      await network.control.scan(phone, answer.body.qr);
      break;
    }
    if (tries > 200) throw new Error(`No QR code: ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (;;) {
    const answer = await gateway.call<{ status: string }>('GET', `/profiles/${profileId}/status`, undefined, {
      credential: token,
    });
    if (answer.body.status === 'connected') return { token, profileId, phone, contact };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pools = new Map<string, Pool>();

/** One synchronous send. @returns milliseconds until the answer @throws Error when it is not 200 */
export async function send(host: string, { token, profileId, contact }: Sender): Promise<number> {
  let pool = pools.get(host);
  if (pool === undefined) pools.set(host, (pool = new Pool(host, { connections: 256 })));
  const begun = performance.now();
  const answer = await pool.request({
    method: 'POST',
    path: '/api/v1/messages/text',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ profileId, to: contact, text }),
  });
  const body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`A send answered ${answer.statusCode}: ${body}`);
  return performance.now() - begun;
}

/** So many clients of each profile send one after the other, as fast as they can. Ends once the receipts are in. */
export async function flood(
  installation: Installation,
  senders: readonly Sender[],
  seconds: number,
  clients: number,
): Promise<GatewayResult> {
  const before = await installation.cost();
  const latencies: number[] = [];
  const started = performance.now();
  const sendOn = async (sender: Sender): Promise<void> => {
    while (performance.now() < started + seconds * 1000) latencies.push(await send(installation.host, sender));
  };
  await Promise.all(senders.flatMap((sender) => Array.from({ length: clients }, () => sendOn(sender))));
  const elapsed = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const after = await installation.cost();
  const sends = latencies.length;
  const each = (part: keyof Cost): number => (after[part] - before[part]) / sends;
  return {
    profiles: senders.length,
    clients,
    sendsPerSecond: (sends / elapsed) * 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMsPerSend: each('services') + each('postgres') + each('brokers'),
    postgresCpuMsPerSend: each('postgres'),
    brokersCpuMsPerSend: each('brokers'),
    commitsPerSend: each('commits'),
    residentMiB: installation.residentMiB(),
  };
}

/** Sends at a steady rate over all profiles. @returns the latencies, milliseconds */
export async function pace(
  host: string,
  senders: readonly Sender[],
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const pending: Promise<number>[] = [];
  const started = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = started + (index * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const sender = senders[index % senders.length];
    if (sender !== undefined) pending.push(send(host, sender));
  }
  return Promise.all(pending);
}
