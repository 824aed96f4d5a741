import { organizationStream } from '../organization/organization.ts';
import { sendTenantMail } from '../settings/smtp.ts';
import type { IdentityTools } from '../tools.ts';

interface Invitation {
  readonly organizationId: string;
  readonly email: string;
  readonly temporaryPassword: string;
}

/** Mails an invitation where the organization has a mail server. Whoever invites is shown the password as well. */
export async function mailInvitation(tools: IdentityTools, { organizationId, email, temporaryPassword }: Invitation) {
  try {
    const { state } = await tools.store.load(organizationStream, organizationId);
    const name = state.status === 'founded' ? state.name : 'an organization';
    const text = [
      `You have been invited to ${name}.`,
      `Log in with this address and the temporary password ${temporaryPassword}, and choose a password of your own.`,
    ].join('\n');
    await sendTenantMail(tools, { organizationId, to: email, subject: 'Your invitation', text });
  } catch (error) {
    tools.log.warn('An invitation was not mailed', { organizationId, reason: (error as Error).message });
  }
}
