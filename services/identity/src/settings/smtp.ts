import { mailServer, type MailServer } from '@messaging-gateway/mail';
import type { AnswerOf, BodyOf, SendTenantMail, SmtpSettings, UpdateSmtpSettings } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import { allowedAddress } from '@messaging-gateway/target-guard';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { changeDocument, readDocument, smtpStream, tried, type OfOrganization, type Outcome } from './documents.ts';
import { assertTargets } from './targets.ts';

interface Smtp {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly from?: string;
  readonly secure?: boolean;
}
type Shown = Static<typeof SmtpSettings>;
type Given = BodyOf<typeof UpdateSmtpSettings>;

const shown = ({ host, port, user, password, from, secure }: Smtp): Shown => ({
  host: host ?? null,
  port: port ?? null,
  user: user ?? null,
  hasPassword: password !== undefined,
  from: from ?? null,
  secure: secure ?? false,
});

export const getSmtp = async (tools: IdentityTools, { caller }: OfOrganization): Promise<Shown> =>
  shown(await readDocument<Smtp>(tools, smtpStream, caller.organizationId));

export async function updateSmtp(tools: IdentityTools, input: OperationInput<Given>): Promise<Shown> {
  await assertTargets({ 'body.host': input.body.host }, policyOf(tools), 'host');
  return shown(await changeDocument<Smtp>(tools, smtpStream, input.body, input));
}

/** Connects and logs in. */
export async function testSmtp(tools: IdentityTools, input: OperationInput<Given | undefined>): Promise<Outcome> {
  const { body, caller } = input;
  await assertTargets({ 'body.host': body?.host }, policyOf(tools), 'host');
  const server = serverOf(
    tools,
    tried(smtpStream, await readDocument<Smtp>(tools, smtpStream, caller.organizationId), body),
  );
  if (server === undefined) return { success: false, message: 'No mail server is set.' };
  try {
    await server.tryOut();
    return { success: true, message: 'The mail server answers and takes the login.' };
  } catch (error) {
    return { success: false, message: `The mail server cannot be used: ${(error as Error).message}` };
  }
}

/** Sends by the mail server of an organization. @throws Refused SERVICE_UNAVAILABLE when it does not take the mail */
export async function sendTenantMail(
  tools: IdentityTools,
  { organizationId, ...mail }: Static<(typeof SendTenantMail)['body']>,
): Promise<AnswerOf<typeof SendTenantMail>> {
  const server = serverOf(tools, await readDocument<Smtp>(tools, smtpStream, organizationId));
  if (server === undefined) return { sent: false };
  try {
    await server.send(mail);
    return { sent: true };
  } catch {
    throw new Refused('SERVICE_UNAVAILABLE', 'The mail server of the organization did not take the mail.');
  }
}

const policyOf = ({ settings }: IdentityTools): { allowPrivate: boolean } => ({
  allowPrivate: settings.allowPrivateTargets,
});

/**
 * The mail server of the settings. Its address is looked up and checked before each connection, and the connection goes
 * to that very address.
 */
function serverOf(tools: IdentityTools, { host, secure = false, ...others }: Smtp): MailServer | undefined {
  if (host === undefined) return undefined;
  return mailServer({ host, secure, ...others }, { addressOf: (name) => allowedAddress(name, policyOf(tools)) });
}
