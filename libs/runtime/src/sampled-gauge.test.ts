import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { sampledGauge } from './sampled-gauge.ts';

describe('a gauge that is looked up', () => {
  const letters = { name: 'letters', help: 'Letters', labels: ['service'] };
  const samples = async (registry: Registry): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('is shared by the services of a process, and leaves out what cannot be looked up', async () => {
    const registry = new Registry();
    let count = 1;
    sampledGauge(registry, letters, () => [{ labels: { service: 'inbox' }, value: count }]);
    const stop = sampledGauge(registry, letters, async () => [{ labels: { service: 'outbound' }, value: 7 }]);
    sampledGauge(registry, letters, () => Promise.reject(new Error('The database is away.')));
    expect(await samples(registry)).toEqual(['letters{service="inbox"} 1', 'letters{service="outbound"} 7']);
    stop();
    count = 2;
    expect(await samples(registry)).toEqual(['letters{service="inbox"} 2']);
  });

  it('without labels has no value when nobody can tell it', async () => {
    const registry = new Registry();
    let isAway = false;
    sampledGauge(registry, { name: 'oldest', help: 'Oldest' }, () => {
      if (isAway) throw new Error('away');
      return [{ value: 3 }];
    });
    expect(await samples(registry)).toEqual(['oldest 3']);
    isAway = true;
    expect(await samples(registry)).toEqual([]);
  });

  it('holds up the other metrics for two seconds at most', async () => {
    const registry = new Registry();
    sampledGauge(registry, letters, () => new Promise(() => undefined));
    expect(await samples(registry)).toEqual([]);
  });
});
