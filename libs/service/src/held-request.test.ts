import { describe, expect, it } from '@jest/globals';
import type { OperationRequest } from '@messaging-gateway/contracts';
import { inProcessOperationBus, Refused } from '@messaging-gateway/messaging';
import { systemClock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import { heldRequest } from './run-service.ts';

describe('a request to the holder of a route', () => {
  const bus = inProcessOperationBus({ clock: systemClock });
  const ask = (route: string, holdMs: number, timeoutMs = 120_000) => {
    const id = v7();
    const deadline = systemClock.now() + timeoutMs;
    const request: OperationRequest = { requestId: id, resourceId: id, params: {}, query: {}, body: {}, deadline };
    return heldRequest(bus, 'Held', request, { route, holdMs, clock: systemClock });
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
