import { keyLimitWords, type Access, type Caller, type Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestState } from '../request/request-state.ts';

/**
 * Checks that the caller may do this operation: its permission, or that it is a person where keys are refused, and that
 * the limits of its key allow it.
 *
 * @throws Refused FORBIDDEN
 */
export function authorize(
  { access, refusesKeysLimitedIn = [] }: Operation,
  { caller, limits = [] }: RequestState,
): void {
  assertPermitted(access, caller);
  const limit = refusesKeysLimitedIn.find((refused) => limits.includes(refused));
  if (limit === undefined) return;
  throw new Refused(
    'FORBIDDEN',
    `This API key is limited ${keyLimitWords[limit]}, which this would go beyond: sign in, or use a key that is not.`,
  );
}

function assertPermitted(access: Access, caller: Caller | undefined): void {
  if (access === 'public' || access === 'own') return;
  if (access === 'own:write') {
    if (caller?.apiKeyId !== undefined) throw new Refused('FORBIDDEN', 'An API key cannot do this: sign in.');
  } else if (caller?.permissions.includes(access) !== true) {
    throw new Refused('FORBIDDEN', `This needs the permission ${access}.`);
  }
}
