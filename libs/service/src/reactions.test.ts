import { describe, expect, it } from '@jest/globals';
import type { EventContract, EventEnvelope } from '@messaging-gateway/contracts';
import type { BindingTools } from './bindings.ts';
import { batchedReaction, reaction } from './definition.ts';
import { subscriptionOf } from './reactions.ts';

const contract = { type: 'thing.told', version: 1 } as unknown as EventContract;
const event = { id: '1', type: contract.type, time: new Date(0).toISOString(), data: {} } as unknown as EventEnvelope;
const home = {} as never;
const tools = {
  service: 'test',
  clock: { now: () => 0 },
  handled: { add: () => undefined },
  metrics: { reaction: () => undefined },
} as unknown as BindingTools;

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}

describe('several reactions to a kind', () => {
  it('that gather events are begun side by side: one that pauses holds up no other', async () => {
    const [pause, other] = [gate(), gate()];
    const rows = [batchedReaction(contract, () => pause.opened), batchedReaction(contract, async () => other.open())];
    const handling = subscriptionOf(rows, home, tools).handler(event);
    await other.opened;
    pause.open();
    await handling;
  });

  it('that gather events are all over before one that failed is told', async () => {
    const pause = gate();
    let isOver = false;
    const rows = [
      batchedReaction(contract, async () => {
        throw new Error('unwritable');
      }),
      batchedReaction(contract, async () => {
        await pause.opened;
        isOver = true;
      }),
    ];
    const handling = subscriptionOf(rows, home, tools).handler(event);
    pause.open();
    await expect(handling).rejects.toThrow('unwritable');
    expect(isOver).toBe(true);
  });

  it('of the usual way come one after the other', async () => {
    const begun: string[] = [];
    const rows = ['one', 'two'].map((name) =>
      reaction(contract, async () => {
        begun.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        begun.push(`${name} ends`);
      }),
    );
    await subscriptionOf(rows, home, tools).handler(event);
    expect(begun).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });
});
