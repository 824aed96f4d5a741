import type { Installation } from '../installation.ts';
import type { Sender } from '../load.ts';
import { percentile } from '../percentile.ts';
import type { SimulatorProcess } from '../simulator-process.ts';

/** From the stanza of a contact to that of the answer, at a steady rate. Milliseconds. */
export interface Answering {
  readonly perSecond: number;
  readonly messages: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time for each message with its answer: of the process and of PostgreSQL. */
  readonly cpuMsEach: number;
  readonly postgresCpuMsEach: number;
}

/** Fewer than the guards let through to a person within a minute. */
const mostOfOne = 4;
const patienceMs = 60_000;
const text = 'What is the price of number';

/** A flow of each profile that answers all that comes in. */
export async function answerAll(installation: Installation, senders: readonly Sender[]): Promise<void> {
  for (const { profileId, token } of senders) {
    const body = {
      profileId,
      name: 'All',
      trigger: { type: 'regex', value: String.raw`(?i)price of number (\d+)` },
      actions: [{ type: 'send', message: { type: 'text', text: 'Number {{1}} is ten, {{name|dear customer}}.' } }],
    };
    const made = await installation.call('POST', '/automation', body, { credential: token });
    if (made.status !== 201) throw new Error(`A flow was answered ${JSON.stringify(made)}`);
  }
}

let people = 0;

/** Contacts who have not written yet write so many messages a second to the profiles, after one each to get to know them. */
export async function measureAnswering(
  installation: Installation,
  network: SimulatorProcess,
  senders: readonly Sender[],
  perSecond: number,
  seconds: number,
): Promise<Answering> {
  const messages = perSecond * seconds;
  const writers = Array.from({ length: Math.ceil(messages / (mostOfOne - 1)) }, (_, index) => {
    people += 1;
    return { contact: `4924${String(people).padStart(7, '0')}`, phone: senders[index % senders.length]?.phone ?? '' };
  });
  const write = ({ contact, phone }: (typeof writers)[number], number: number) =>
    network.control.sendFromContact(contact, { to: phone, text: `${text} ${number}?` });
  for (const [index, writer] of writers.entries()) {
    await write(writer, index);
    await network.control.waitForMessages(writer.contact, 1, patienceMs);
  }
  const before = await installation.cost();
  const started = performance.now();
  for (let index = 0; index < messages; index += 1) {
    const wait = started + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const writer = writers[index % writers.length];
    // The simulated network writes for as many at once as ask for it.
    if (writer !== undefined) void write(writer, writers.length + index);
  }
  const latencies: number[] = [];
  for (const { contact } of writers) {
    const own = Array.from({ length: messages }, (_, index) => index).filter(
      (index) => writers[index % writers.length]?.contact === contact,
    ).length;
    await network.control.waitForMessages(contact, 1 + own, patienceMs);
    const written = new Map((await network.control.written(contact)).map((one) => [numberIn(one.text), one.at]));
    for (const { text: answer, at } of (await network.control.messages(contact)).slice(1)) {
      const asked = written.get(numberIn(answer ?? ''));
      if (asked !== undefined) latencies.push(Date.parse(at) - Date.parse(asked));
    }
  }
  if (latencies.length !== messages) throw new Error(`${latencies.length} of ${messages} messages were answered.`);
  const after = await installation.cost();
  return {
    perSecond,
    messages,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMsEach: (after.services + after.postgres - before.services - before.postgres) / messages,
    postgresCpuMsEach: (after.postgres - before.postgres) / messages,
  };
}

const numberIn = (said: string): string => /\d+/.exec(said)?.[0] ?? '';
