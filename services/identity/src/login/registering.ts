import type { BodyOf, Register, SignedIn } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  everyOrganization,
  ofOrganization,
  type OperationInput,
  type RequestContext,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { aboutUser, clientOf } from '../client.ts';
import { askForDefaultAccount, foundOrganization } from '../organization/founding.ts';
import { startSession } from '../session/starting.ts';
import type { IdentityTools } from '../tools.ts';
import { normalizeAddress } from '../user/addresses.ts';
import { currentUser } from './current-user.ts';
import { findUser } from '../user/users-view.ts';
import { userStream, type User } from '../user/user.ts';
import { UserRow } from '../user/users-view.ts';

type Body = BodyOf<typeof Register>;
type Registered = Extract<User, { status: 'registered' }>;

/**
 * Registers a user. The first event claims the address and tells `organization.created`; what follows is idempotent
 * and made up for by the reaction to that event when a crash cuts it off.
 */
export async function register(
  tools: IdentityTools,
  { body, context }: OperationInput<Body>,
): Promise<Static<typeof SignedIn>> {
  await refuseWhenClosed(tools, context);
  const user = await claim(tools, body, context);
  const metadata = aboutUser(user.userId, user.organizationId, context);
  const owner = { id: user.userId, organizationId: user.organizationId, passwordHash: user.passwordHash };
  const [tokens] = await Promise.all([
    startSession(tools, owner, 'register', context),
    foundOrganization(tools, user, metadata).then(() => askForDefaultAccount(tools, user, context.requestId)),
  ]);
  const em = ofOrganization(context.em(), user.organizationId);
  const row = await findUser(em, user.userId);
  if (row === undefined) throw new Refused('CONFLICT', 'The user has been deleted.');
  return { ...tokens, user: await currentUser(em, row) };
}

async function refuseWhenClosed(tools: IdentityTools, context: RequestContext): Promise<void> {
  if (tools.settings.registration === 'open') return;
  const other = await context.em().findOne(UserRow, { id: { $ne: context.resourceId } }, everyOrganization);
  if (other !== null) refuseRegistration();
}

function refuseRegistration(): never {
  throw new Refused('FORBIDDEN', 'Registration is closed.');
}

async function claim(tools: IdentityTools, body: Body, context: RequestContext): Promise<Registered> {
  const userId = context.resourceId;
  const msecs = tools.clock.now();
  const organizationId = v7({ msecs });
  const hash = await tools.addresses.hashOf(body.email);
  const passwordHash = await tools.passwords.hash(body.password);
  const name = body.name.trim();
  const handled = await tools.store.handle(
    userStream,
    userId,
    {
      type: 'Register',
      userId,
      organizationId,
      name,
      passwordHash,
      workspaceId: v7({ msecs }),
      organizationName: body.organizationName?.trim() ?? `${name}'s organization`,
      role: 'Owner',
      email: body.email.trim(),
      client: clientOf(context),
    },
    {
      metadata: aboutUser(userId, organizationId, context),
      guard: { name: 'address', request: { hash, userId } },
      // Of two first users at the same moment a closed installation takes one.
      ...(tools.settings.registration === 'closed' && { once: 'first-user' }),
      onAppended: context.appended,
    },
  );
  if (handled.outcome === 'guarded') refuseAddress();
  if (handled.state.status !== 'registered') refuseRegistration();
  if (handled.outcome === 'nothing') await refuseAnother(tools, handled.state, body);
  return handled.state;
}

/** A repeat of the request goes on with the same user, but only for somebody who knows the password. */
async function refuseAnother(tools: IdentityTools, user: Registered, body: Body): Promise<void> {
  const same = normalizeAddress(user.email) === normalizeAddress(body.email);
  if (!same || !(await tools.passwords.matches(body.password, user.passwordHash))) refuseAddress();
}

function refuseAddress(): never {
  throw new Refused('CONFLICT', 'The address is in use.');
}
