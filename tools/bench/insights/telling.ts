import { linkSenders, registerOwner } from '../load.ts';
import { percentile } from '../percentile.ts';
import type { Part } from './part.ts';

const perSecond = Number(process.env['BENCH_TOLD_PER_SECOND'] ?? 10);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
const profiles = 5;
const patienceMs = 60_000;

/** From the stanza of a contact to the notification on a stream of the member, and to the push at the member's browser. */
export const telling: Part = async ({ installation, network, pushService }) => {
  const owner = await registerOwner(installation);
  const senders = await linkSenders(installation, network, owner, profiles);
  const browser = pushService.subscribe();
  const subscribed = await installation.call('POST', '/notifications/push/subscribe', browser, {
    credential: owner.token,
  });
  if (subscribed.status !== 200) throw new Error(`A subscription was answered ${JSON.stringify(subscribed)}`);
  const shown = new Map<string, number>();
  const aborter = new AbortController();
  await follow(installation.host, owner.token, aborter.signal, (body) => shown.set(body, Date.now()));
  const messages = perSecond * seconds;
  const contacts = Array.from({ length: messages }, (_, number) => `4926${String(number).padStart(7, '0')}`);
  const began = performance.now();
  for (const [number, contact] of contacts.entries()) {
    const wait = began + (number * 1000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const to = senders[number % senders.length]?.phone ?? '';
    void network.control.sendFromContact(contact, { to, text: textOf(contact) });
  }
  const pushedAt = (): Map<string, number> =>
    new Map(
      pushService.pushed
        .filter(({ payload }) => payload.type === 'message')
        .map(({ payload, at }) => [payload.body, at]),
    );
  for (const until = Date.now() + patienceMs; pushedAt().size < messages || shown.size < messages;) {
    if (Date.now() > until)
      throw new Error(`${shown.size} notifications and ${pushedAt().size} pushes of ${messages}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  aborter.abort();
  const pushed = pushedAt();
  const [toNotification, toPush]: [number[], number[]] = [[], []];
  for (const contact of contacts) {
    const [written] = await network.control.written(contact);
    const at = Date.parse(written?.at ?? '');
    toNotification.push((shown.get(textOf(contact)) ?? 0) - at);
    toPush.push((pushed.get(textOf(contact)) ?? 0) - at);
  }
  const figures = { perSecond, messages, notification: quantiles(toNotification), push: quantiles(toPush) };
  const line = (name: string, { p50, p99 }: { p50: number; p99: number }): string =>
    `  ${name.padEnd(60)} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
  return {
    figures,
    lines: [
      line(`notification on a stream, ${perSecond} a second, each of another chat`, figures.notification),
      line('push at the browser', figures.push),
    ],
  };
};

const textOf = (contact: string): string => `Is anybody there, asks ${contact}`;
const quantiles = (times: readonly number[]) => ({
  p50: percentile([...times], 0.5),
  p99: percentile([...times], 0.99),
});

/** Resolves when the stream is open. */
async function follow(host: string, token: string, signal: AbortSignal, onShown: (body: string) => void) {
  const answer = await fetch(`${host}/api/v1/notifications?type=message`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal,
  });
  if (answer.status !== 200) throw new Error(`GET /notifications answered ${answer.status}`);
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${piece}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) onShown((JSON.parse(data) as { body: string }).body);
      }
    }
  };
  // It is broken off at the end.
  void read().catch(() => undefined);
}
