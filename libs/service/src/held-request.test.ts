import { describe, expect, it } from '@jest/globals';
import type { OperationRequest } from '@messaging-gateway/contracts';
import { inProcessOperationBus, Refused } from '@messaging-gateway/messaging';
import { systemClock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import { heldRequest, type Holding } from './run-service.ts';

describe('a request to the holder of a route', () => {
  const bus = inProcessOperationBus({ clock: systemClock });
  const ask = (route: string, holdMs: number, timeoutMs = 120_000, how: Partial<Holding> = {}) => {
    const id = v7();
    const deadline = systemClock.now() + timeoutMs;
    const request: OperationRequest = { requestId: id, resourceId: id, params: {}, query: {}, body: {}, deadline };
    return heldRequest(bus, 'Held', request, { route, holdMs, clock: systemClock, ...how });
  };

  it('is held until the next holder serves it, and done once', async () => {
    let done = 0;
    const asked = ask('moving', 60_000, 120_000);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const stop = await bus.serve('Held', async () => ({ status: 200, body: { done: (done += 1) } }), 'moving');
    expect(await asked).toEqual({ status: 200, body: { done: 1 } });
    await stop();
    expect(done).toBe(1);
  });

  it('is refused when nobody comes, within its hold and its deadline', async () => {
    await expect(ask('nobody', 300)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { unseen: true } });
    await expect(ask('nobody', 60_000, 300)).rejects.toMatchObject({ details: { unseen: true } });
  });

  it('has its whole time for the answer after it was held, where that is asked for', async () => {
    const asked = ask('late', 60_000, 300, { timeAfterHold: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const stop = await bus.serve('Held', async ({ deadline }) => ({ status: 200, body: deadline }), 'late');
    expect(((await asked).body as number) > systemClock.now() - 300).toBe(true);
    await stop();
  });

  it('is given up when whoever asks does not wait any more', async () => {
    let tries = 0;
    const isStillHeld = (): boolean => (tries += 1) < 3;
    await expect(ask('left', 60_000, 120_000, { isStillHeld })).rejects.toMatchObject({ details: { unseen: true } });
    expect(tries).toBe(3);
  });

  it('is not repeated when its holder refused it', async () => {
    let asked = 0;
    const refuse = async (): Promise<never> => {
      asked += 1;
      throw new Refused('CONFLICT', 'No.');
    };
    const stop = await bus.serve('Held', refuse, 'refusing');
    await expect(ask('refusing', 10_000)).rejects.toMatchObject({ code: 'CONFLICT' });
    await stop();
    expect(asked).toBe(1);
  });
});
