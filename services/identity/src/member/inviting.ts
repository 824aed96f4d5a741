import { randomBytes } from 'node:crypto';
import type {
  BodyOf,
  Caller,
  DataOf,
  InviteMember,
  InvitedMember,
  MemberInvited,
  Permission,
} from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type OperationInput, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { aboutOrganization, aboutUser, clientOf } from '../client.ts';
import { organizationStream } from '../organization/organization.ts';
import { requestErasure } from '../erasure/requesting.ts';
import { roleIdOf } from '../organization/role-naming.ts';
import type { IdentityTools } from '../tools.ts';
import { userStream } from '../user/user.ts';
import { assertGrants, permissionsOf, type Granting } from '../organization/member-rules.ts';
import { findMembership } from '../organization/membership.ts';
import { mailInvitation } from './mailing.ts';
import { endMembership } from './removing.ts';
import { readMember } from '../organization/member-list.ts';

type Body = BodyOf<typeof InviteMember>;

/** In bytes: 16 characters, four more than a password must have. */
const temporaryPasswordBytes = 12;

/**
 * Makes a user with a temporary password and adds it to the organization. The user comes first, as that claims the
 * address; when a crash cuts off what follows, the reaction to `member.invited` makes up for it.
 *
 * @throws Refused FORBIDDEN for a role beyond the own permissions, CONFLICT for an address in use
 */
export async function inviteMember(
  tools: IdentityTools,
  { body, caller, context }: OperationInput<Body>,
): Promise<Static<typeof InvitedMember>> {
  const { organizationId } = caller;
  const roleId = await roleIdOf(context.em(), body.role ?? 'Viewer');
  const granting = caller.permissions as readonly Permission[];
  await assertMayInvite(tools, organizationId, roleId, granting);
  const temporaryPassword = randomBytes(temporaryPasswordBytes).toString('base64url');
  const passwordHash = await tools.passwords.hash(temporaryPassword);
  const userId = await claim(tools, { body, caller, context }, { roleId, passwordHash });
  const metadata = aboutOrganization(organizationId, context, actorOf(caller));
  await join(tools, { userId, organizationId, roleId, by: caller.userId, granting }, metadata, context);
  const member = await readMember(context.em(), userId);
  await mailInvitation(tools, { organizationId, email: member.email, temporaryPassword });
  return { ...member, temporaryPassword };
}

async function assertMayInvite(
  tools: IdentityTools,
  organizationId: string,
  roleId: string,
  granting: readonly Permission[],
): Promise<void> {
  const { state } = await tools.store.load(organizationStream, organizationId);
  if (state.status === 'founded') assertGrants(granting, permissionsOf(roleId, state));
}

async function claim(
  tools: IdentityTools,
  { body, caller, context }: { body: Body; caller: Caller; context: RequestContext },
  made: { roleId: string; passwordHash: string },
): Promise<string> {
  const userId = context.resourceId;
  const { organizationId, userId: invitedBy } = caller;
  const [email, name] = [body.email.trim(), body.name.trim()];
  const hash = await tools.addresses.hashOf(email);
  // A repeat of the request has claimed the address before.
  const { version } = await tools.store.load(userStream, userId);
  const { outcome } = await tools.store.handle(
    userStream,
    userId,
    { type: 'Invite', userId, organizationId, invitedBy, email, name, ...made, client: clientOf(context) },
    {
      metadata: aboutUser(userId, organizationId, context, actorOf(caller)),
      ...(version === 0 && { guard: { name: 'address', request: { hash, userId } } }),
      onAppended: context.appended,
    },
  );
  if (outcome === 'guarded') throw new Refused('CONFLICT', 'The address is in use.');
  return userId;
}

interface Joining extends Granting {
  readonly userId: string;
  readonly organizationId: string;
  readonly roleId: string;
}

/** Once for each user: who was removed is not brought back by a repeat. What is refused now leaves no user behind. */
async function join(
  tools: IdentityTools,
  { organizationId, ...joining }: Joining,
  metadata: EventMetadata,
  context?: RequestContext,
): Promise<void> {
  try {
    await tools.store.handle(
      organizationStream,
      organizationId,
      { type: 'AddMember', ...joining },
      { metadata, once: `join ${joining.userId}`, ...(context && { onAppended: context.appended }) },
    );
  } catch (error) {
    if (error instanceof Refused) {
      const { userId } = joining;
      await endMembership(tools, { userId, organizationId }, metadata);
      await requestErasure(tools, { userId, organizationId, wholeOrganization: false });
    }
    throw error;
  }
}

/** The repair of an invitation that a crash cut off after its first event. */
export async function completeInvitation(
  tools: IdentityTools,
  { userId, roleId, invitedBy }: DataOf<typeof MemberInvited>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const { state } = await tools.store.load(userStream, userId);
  if (state.status !== 'invited') return;
  const granting = (await findMembership(tools.em(organizationId), invitedBy))?.permissions ?? [];
  const metadata = { organizationId, subject: `organization:${organizationId}`, actor: `user:${invitedBy}`, cause: id };
  await join(tools, { userId, organizationId, roleId, by: invitedBy, granting }, metadata).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error; // else there is nothing left of the invitation
  });
}
