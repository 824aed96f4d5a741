import type { AnswerOf, DescribeProfile, InternalOperation } from '@messaging-gateway/contracts';
import { isUnseen, Refused } from '@messaging-gateway/messaging';
import type { Static } from 'typebox';
import type { AskOptions, ServiceTools } from './module.ts';

/** A refusal that says where the profile stands, which the client is shown. */
export const profileNotConnected = (profile: AnswerOf<typeof DescribeProfile> | undefined): Refused =>
  new Refused(
    'PROFILE_NOT_CONNECTED',
    'The profile is not connected.',
    profile && { status: profile.status, statusReason: profile.statusReason ?? null },
  );

export interface HolderAsking extends Omit<AskOptions, 'route'> {
  /** The profile's, where it is known: one that is connected has a holder, and is being handed over while it has none. */
  readonly status?: string;
}

/**
 * Asks the replica that holds a profile's connection, for somebody outside.
 *
 * @throws Refused PROFILE_NOT_CONNECTED when nobody holds the profile, else what the holder threw; without details, which
 *   are between replicas, except those of RATE_LIMITED
 */
export async function askHolder<O extends InternalOperation>(
  { ask }: Pick<ServiceTools<unknown>, 'ask'>,
  contract: O,
  body: Static<O['body']> & { readonly profileId: string },
  { status, ...options }: HolderAsking,
): Promise<AnswerOf<O>> {
  const holding = status !== 'connected' && { holdMs: 0 };
  try {
    return await ask(contract, body, { ...options, route: body.profileId, ...holding });
  } catch (error) {
    if (isUnseen(error))
      throw new Refused('PROFILE_NOT_CONNECTED', 'The profile has no connection to the network now.');
    if (error instanceof Refused) {
      const details = error.code === 'RATE_LIMITED' ? error.details : undefined;
      throw new Refused(error.code, error.message, details, error.headers);
    }
    throw error;
  }
}
