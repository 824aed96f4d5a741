import type { CurrentUser, Permission } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { currentUser, findUser } from './current-user.ts';

/** The user of the request, with what its credential allows. */
export async function getMe(
  tools: IdentityTools,
  { caller }: OperationInput<unknown>,
): Promise<Static<typeof CurrentUser>> {
  const user = await findUser(tools, caller.userId, caller.organizationId);
  if (user === undefined) throw new Refused('UNAUTHORIZED', 'The user does not exist any more.');
  return currentUser(tools, user, caller.permissions as readonly Permission[]);
}
