import { v7 } from 'uuid';
import { outOfReach, revoking } from '../credential/revoking.ts';
import { organizationStream } from './organization.ts';
import type { OperatorTools } from '../user/resetting-password.ts';
import { addresses, userWithAddress } from '../user/addresses.ts';

/**
 * Makes a member Owner of an organization that has none, as a restore can leave one. From the return on every gateway
 * goes by it.
 *
 * @returns false when nobody has this address
 * @throws Refused CONFLICT when the organization has an Owner
 */
export async function makeOwner(tools: OperatorTools, email: string): Promise<boolean> {
  const user = await userWithAddress(tools.em(), await addresses(tools).hashOf(email));
  if (user === undefined) return false;
  const { id: userId, organizationId } = user;
  const audit = { id: v7(), action: 'member.change_role', resourceType: 'member', resourceId: userId };
  const metadata = { organizationId, subject: `organization:${organizationId}`, actor: 'operator', audit };
  await revoking(tools, outOfReach, () =>
    tools.store.handle(organizationStream, organizationId, { type: 'MakeOwner', userId }, { metadata }),
  );
  return true;
}
