import { GetStart, Health, HealthReady } from '@messaging-gateway/contracts';
import type { OperationHandler } from '@messaging-gateway/messaging';
import { startOf } from '../documentation/start.ts';
import type { Readiness } from './readiness.ts';

/** The operations that the gateway answers itself, by name. */
export function ownOperations(
  readiness: Readiness,
  version: string,
  publicUrl = '',
): ReadonlyMap<string, OperationHandler> {
  const begun = performance.now();
  const uptime = (): number => Math.round(performance.now() - begun) / 1000;
  return new Map<string, OperationHandler>([
    [Health.name, async () => ({ status: 200, body: { status: 'ok', version, uptime: uptime() } })],
    [GetStart.name, async () => ({ status: 200, body: startOf(publicUrl, version) })],
    [HealthReady.name, () => readiness.report()],
  ]);
}
