import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestState } from '../http/request-state.ts';

/**
 * Checks that the caller may do this operation: its permission, or that it is a person where keys are refused.
 *
 * @throws Refused FORBIDDEN
 */
export function authorize({ access }: Operation, { caller }: RequestState): void {
  if (access === 'public' || access === 'own') return;
  if (access === 'own:write') {
    if (caller?.apiKeyId !== undefined) throw new Refused('FORBIDDEN', 'An API key cannot do this: sign in.');
  } else if (caller?.permissions.includes(access) !== true) {
    throw new Refused('FORBIDDEN', `This needs the permission ${access}.`);
  }
}
