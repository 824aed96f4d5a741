import type { AnswerOf, MailMember } from '@messaging-gateway/contracts';
import { installationMail } from '@messaging-gateway/mail';
import { Refused } from '@messaging-gateway/messaging';
import { ofOrganization, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { findMembership } from '../organization/membership.ts';
import { sendTenantMail } from '../settings/smtp.ts';
import type { IdentityTools } from '../tools.ts';
import { findUser } from '../user/users-view.ts';

/**
 * Mails something to a member: by the organization's server, else by the installation's.
 *
 * @throws Refused SERVICE_UNAVAILABLE when the server does not take it
 */
export async function mailMember(
  tools: IdentityTools,
  { organizationId, userId, subject, text }: Static<(typeof MailMember)['body']>,
  context: RequestContext,
): Promise<AnswerOf<typeof MailMember>> {
  const em = ofOrganization(context.em(), organizationId);
  const user = (await findMembership(em, userId)) && (await findUser(em, userId));
  if (user === undefined) return { by: 'nobody' };
  const mail = { to: user.email, subject, text };
  if ((await sendTenantMail(tools, { organizationId, ...mail })).sent) return { by: 'organization' };
  const server = installationMail(tools.settings);
  if (server === undefined) return { by: 'nobody' };
  await server.send(mail).catch(() => {
    throw new Refused('SERVICE_UNAVAILABLE', 'The mail server of the installation did not take the mail.');
  });
  return { by: 'installation' };
}
