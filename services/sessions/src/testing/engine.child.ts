import WebSocket from 'ws';
import type { Fact, SendOutcome } from '../engine/engine.ts';
import { openStore, testProfile, until, type TestProfile } from './engine-harness.ts';

/** Where the process dies: right before the next frame is written to the network, or right after. */
export type Death = 'before-frame' | 'after-frame';

export type Order =
  | { do: 'open'; url: string; rootKey: string; directory: string; profileId: string; epoch: number }
  | { do: 'start' }
  | { do: 'connected' }
  | { do: 'send'; to: string; text: string; id: string }
  | { do: 'die'; at: Death }
  | { do: 'inbox' };

let death: Death | undefined;
const write = WebSocket.prototype.send as (this: WebSocket, ...parts: unknown[]) => void;
const die = (): void => void process.kill(process.pid, 'SIGKILL');

WebSocket.prototype.send = function send(this: WebSocket, data: unknown, done?: (error?: Error) => void) {
  if (death === 'before-frame') return die();
  if (death !== 'after-frame') return write.call(this, data, done);
  write.call(this, data, () => die());
} as typeof WebSocket.prototype.send;

let profile: TestProfile;

async function carryOut(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'open':
      profile = await testProfile(order, await openStore(order.directory), order.profileId, order.epoch);
      return undefined;
    case 'start':
      await profile.session.start();
      return (await profile.session.isLinked()) ? undefined : until(() => profile.qr.at(-1));
    case 'connected':
      await until(() => profile.opened > 0);
      return undefined;
    case 'send':
      return profile.send(order.to, order.text, order.id) satisfies Promise<SendOutcome>;
    case 'die':
      death = order.at;
      return undefined;
    case 'inbox':
      return (await profile.inbox()).map(({ value }) => JSON.parse(value.toString()) as Fact);
  }
}

process.on('message', ({ number, order }: { number: number; order: Order }) => {
  carryOut(order).then(
    (answer) => process.send?.({ number, answer }),
    (error: unknown) => process.send?.({ number, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
