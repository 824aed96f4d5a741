import { invalid } from '@messaging-gateway/messaging';
import { hostFault, resolvedTargetFault, type TargetPolicy } from '@messaging-gateway/target-guard';

type Fault = string | undefined;

/**
 * Refuses settings that lead where tenants may not go; what is connected to is checked again.
 *
 * @param given fields by their path, such as `body.endpoint`, with a URL or the name of a host
 * @throws Refused VALIDATION_ERROR naming each of them
 */
export async function assertTargets(
  given: Readonly<Record<string, string | null | undefined>>,
  policy: TargetPolicy,
  kind: 'url' | 'host' = 'url',
): Promise<void> {
  const fault = (target: string): Promise<Fault> =>
    kind === 'url' ? resolvedTargetFault(target, policy) : hostFault(target, policy);
  const found = await Promise.all(
    Object.entries(given).map(async ([path, target]) => ({ path, message: target ? await fault(target) : undefined })),
  );
  const faults = found.filter((one): one is { path: string; message: string } => one.message !== undefined);
  if (faults.length > 0) throw invalid(faults);
}
