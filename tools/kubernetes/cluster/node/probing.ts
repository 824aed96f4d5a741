import { setTimeout as sleep } from 'node:timers/promises';
import { boundAddress } from './addresses.ts';
import type { ContainerSpec, Probe } from './container.ts';

/** Outcomes of a running container's probes, as the kubelet takes them. */
export interface ProbeOutcomes {
  started(): void;
  ready(ready: boolean): void;
  /** The container is to be killed, and started again. */
  failed(probe: 'startup' | 'liveness'): void;
}

/** Asks until the signal, which says that the container has ended. */
export async function probe(
  container: ContainerSpec,
  address: string,
  signal: AbortSignal,
  outcomes: ProbeOutcomes,
): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const asking = (one: Probe, decide: (isGood: boolean) => boolean): Promise<void> =>
    repeat(one, () => asked(one, container, address), signal, decide);
  if (startupProbe !== undefined) {
    let isStarted = false;
    await asking(startupProbe, (isGood) => {
      isStarted = isGood;
      if (!isGood) outcomes.failed('startup');
      return true;
    });
    if (!isStarted) return;
  }
  if (signal.aborted) return;
  outcomes.started();
  if (readinessProbe === undefined) outcomes.ready(true);
  await Promise.all([
    readinessProbe &&
      asking(readinessProbe, (isGood) => {
        outcomes.ready(isGood);
        return false;
      }),
    livenessProbe &&
      asking(livenessProbe, (isGood) => {
        if (!isGood) outcomes.failed('liveness');
        return !isGood;
      }),
  ]);
}

/** @param decide told whenever enough answers agree; true: no more is asked */
async function repeat(
  { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 }: Probe,
  ask: () => Promise<boolean>,
  signal: AbortSignal,
  decide: (isGood: boolean) => boolean,
): Promise<void> {
  await sleep(initialDelaySeconds * 1000);
  let good = 0;
  let bad = 0;
  while (!signal.aborted) {
    if (await ask()) [good, bad] = [good + 1, 0];
    else [good, bad] = [0, bad + 1];
    if (signal.aborted) return;
    if (good >= successThreshold && decide(true)) return;
    if (bad >= failureThreshold && decide(false)) return;
    await sleep(periodSeconds * 1000);
  }
}

async function asked({ httpGet, timeoutSeconds = 1 }: Probe, container: ContainerSpec, address: string) {
  const { port, path = '/' } = httpGet;
  const number = typeof port === 'number' ? port : container.ports?.find(({ name }) => name === port)?.containerPort;
  const limit = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const answer = await fetch(`http://${boundAddress(address)}:${number}${path}`, { signal: limit });
    await answer.arrayBuffer();
    return answer.status >= 200 && answer.status < 400;
  } catch {
    return false;
  }
}
