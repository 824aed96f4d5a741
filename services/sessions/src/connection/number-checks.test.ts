import { describe, expect, it } from '@jest/globals';
import { testClock } from '@messaging-gateway/runtime';
import { NumberChecks } from './number-checks.ts';

const nobody = async (): Promise<[]> => [];

describe('questions about numbers', () => {
  it('are a second apart, and not asked after their deadline', async () => {
    const clock = testClock();
    const checks = new NumberChecks(clock);
    const times: number[] = [];
    const ask = async (): Promise<[]> => {
      times.push(clock.now());
      return [];
    };
    const begun = clock.now();
    const deadline = begun + 60_000;
    const first = checks.inTurn(ask, deadline);
    const second = checks.inTurn(ask, deadline);
    await first;
    await second;
    expect((times[1] ?? 0) - begun).toBeGreaterThanOrEqual(1000);
    await expect(checks.inTurn(ask, clock.now())).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT' });
    expect(times).toHaveLength(2);
  });

  it('go on after one that failed', async () => {
    const clock = testClock();
    const checks = new NumberChecks(clock);
    const failing = async (): Promise<never> => {
      throw new Error('Away.');
    };
    await expect(checks.inTurn(failing, clock.now() + 60_000)).rejects.toThrow('Away.');
    await expect(checks.inTurn(nobody, clock.now() + 60_000)).resolves.toEqual([]);
  });
});
