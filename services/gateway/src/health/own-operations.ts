import { Health, HealthReady } from '@messaging-gateway/contracts';
import type { OperationHandler } from '@messaging-gateway/messaging';
import type { Readiness } from './readiness.ts';

/** The operations that the gateway answers itself, by name. */
export function ownOperations(readiness: Readiness, version: string): ReadonlyMap<string, OperationHandler> {
  const begun = performance.now();
  const uptime = (): number => Math.round(performance.now() - begun) / 1000;
  return new Map<string, OperationHandler>([
    [Health.name, async () => ({ status: 200, body: { status: 'ok', version, uptime: uptime() } })],
    [HealthReady.name, () => readiness.report()],
  ]);
}
