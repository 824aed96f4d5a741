import type { DisableTwoFactor, EnableTwoFactor, RenewBackupCodes } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf, OperationInput } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { aboutUser } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { findUser, type UserRecord } from '../user/users-view.ts';
import { fingerprintOf, newBackupCodes, newSecret, otpauthUrl } from './codes.ts';
import { giveCode, givenCode } from './giving-codes.ts';
import { twoFactorStream } from './two-factor.ts';

/** Makes a secret for an authenticator app, in the three forms in which apps take it. */
export async function setUpTwoFactor(
  tools: IdentityTools,
  { caller, context }: OperationInput<unknown>,
): Promise<{ secret: string; otpauthUrl: string; qrCodeDataUrl: string }> {
  const user = await presentUser(context.em(), caller.userId);
  const secret = newSecret();
  const metadata = aboutUser(user.id, user.organizationId, context);
  const offer = { type: 'Offer', userId: user.id, secret } as const;
  await tools.store.handle(twoFactorStream, user.id, offer, { metadata, onAppended: context.appended });
  const url = otpauthUrl(secret, user.email);
  const { toDataURL } = await import('qrcode');
  return { secret, otpauthUrl: url, qrCodeDataUrl: await toDataURL(url) };
}

/** Turns two-factor login on. @throws Refused FORBIDDEN for a wrong code, CONFLICT when it is on or was not set up */
export async function enableTwoFactor(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof EnableTwoFactor>,
): Promise<{ enabled: true; backupCodes: string[] }> {
  const { codes: backupCodes, fingerprints } = newCodes(caller.userId);
  const given = givenCode(tools, caller.userId, body.code, context);
  await accepted(giveCode(tools, caller, { type: 'Enable', given, fingerprints }, context));
  return { enabled: true, backupCodes };
}

/** Makes other backup codes. @throws Refused FORBIDDEN for a wrong code, CONFLICT when two-factor login is off */
export async function renewBackupCodes(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof RenewBackupCodes>,
): Promise<{ backupCodes: string[] }> {
  const { codes: backupCodes, fingerprints } = newCodes(caller.userId);
  const given = givenCode(tools, caller.userId, body.code, context);
  await accepted(giveCode(tools, caller, { type: 'RenewBackupCodes', given, fingerprints }, context));
  return { backupCodes };
}

/** Turns two-factor login off. @throws Refused FORBIDDEN for a wrong password or code, CONFLICT when it is off */
export async function disableTwoFactor(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof DisableTwoFactor>,
): Promise<{ enabled: false }> {
  const user = await presentUser(context.em(), caller.userId);
  if (!(await tools.passwords.matches(body.password, user.passwordHash))) {
    throw new Refused('FORBIDDEN', 'The password is wrong.');
  }
  const given = givenCode(tools, caller.userId, body.code, context);
  await accepted(giveCode(tools, caller, { type: 'Disable', given }, context));
  return { enabled: false };
}

async function accepted(isRight: Promise<boolean>): Promise<void> {
  if (!(await isRight)) throw new Refused('FORBIDDEN', 'The code is wrong, or was used before.');
}

async function presentUser(em: EntityManager, userId: string): Promise<UserRecord> {
  const user = await findUser(em, userId);
  if (user === undefined) throw new Refused('UNAUTHORIZED', 'The user does not exist any more.');
  return user;
}

function newCodes(userId: string): { codes: string[]; fingerprints: string[] } {
  const codes = newBackupCodes();
  return { codes, fingerprints: codes.map((code) => fingerprintOf(userId, code)) };
}
