import { SendTenantMail } from '@messaging-gateway/contracts';
import type { MailServer } from '@messaging-gateway/mail';
import type { RequestContext, ServiceTools } from '@messaging-gateway/service';

/** A one-time code on its way by another channel than the network. */
export interface Otp {
  /** Digits of the recipient. */
  readonly to: string;
  readonly code: string;
  readonly text: string;
  readonly email?: string;
}

/**
 * Another way to the recipient. Undefined: there is none of this kind.
 *
 * @throws Error when it did not get there; says nothing of the code
 */
export type Channel = (otp: Otp) => Promise<'delivered' | 'sent' | undefined>;

/** How long a secondary channel may take, milliseconds. */
export const channelTime = 10_000;

/** `OTP_FALLBACK_URL`: 2xx means delivered. */
export function httpChannel(url: string): Channel {
  return async ({ to, code, text }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to, code, text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(channelTime),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The secondary channel answered ${response.status}.`);
    return 'delivered';
  };
}

/** `SMTP_URL`: a mail server takes it. */
export const mailChannel =
  (server: MailServer): Channel =>
  async ({ email, text }) => {
    await server.send({ to: email ?? '', subject: 'Your code', text });
    return 'sent';
  };

/** By the mail server that the organization has set up, if it has: identity knows it, and sends. */
export const tenantMailChannel =
  (ask: ServiceTools<unknown>['ask']) =>
  (organizationId: string, { requestId, traceparent }: Pick<RequestContext, 'requestId' | 'traceparent'>): Channel =>
  async ({ email, text }) => {
    const mail = { organizationId, to: email ?? '', subject: 'Your code', text };
    const { sent } = await ask(SendTenantMail, mail, { requestId, traceparent, timeoutMs: channelTime });
    return sent ? 'sent' : undefined;
  };
