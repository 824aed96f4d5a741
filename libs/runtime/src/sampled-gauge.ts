import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** A value of a gauge, with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

type Look = () => Promise<readonly Sample[]> | readonly Sample[];

export interface GaugeDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A database that does not answer must not hold up the metrics, milliseconds. */
const patienceMs = 2_000;

const looks = new WeakMap<Metrics, Map<string, Set<Look>>>();

/**
 * A gauge whose values are looked up when the metrics are read. Several services of a process share it, told apart by
 * their labels; what cannot be looked up now is left out.
 *
 * @returns no longer looks
 */
export function sampledGauge(registry: Metrics, { name, help, labels = [] }: GaugeDescription, look: Look): () => void {
  const byName = looks.get(registry) ?? new Map<string, Set<Look>>();
  looks.set(registry, byName);
  const known = byName.get(name);
  if (known !== undefined) {
    known.add(look);
    return () => void known.delete(look);
  }
  const all = new Set([look]);
  byName.set(name, all);
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect: async () => {
      const samples = await Promise.all([...all].map(looked));
      gauge.reset();
      for (const sample of samples.flat()) gauge.set(sample.labels ?? {}, sample.value);
      if (all.size > 0 && labels.length === 0 && samples.flat().length === 0) gauge.remove();
    },
  });
  return () => void all.delete(look);
}

async function looked(look: Look): Promise<readonly Sample[]> {
  const late = Promise.withResolvers<readonly Sample[]>();
  const timer = setTimeout(() => late.resolve([]), patienceMs);
  try {
    return await Promise.race([look(), late.promise]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
