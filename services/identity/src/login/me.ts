import type { CurrentUser, Permission } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { currentUser } from './current-user.ts';
import { findUser } from '../user/users-view.ts';

/** The user of the request, with what its credential allows. */
export async function getMe({ caller, context }: OperationInput<unknown>): Promise<Static<typeof CurrentUser>> {
  const user = await findUser(context.em(), caller.userId);
  if (user === undefined) throw new Refused('UNAUTHORIZED', 'The user does not exist any more.');
  return currentUser(context.em(), user, caller.permissions as readonly Permission[]);
}
