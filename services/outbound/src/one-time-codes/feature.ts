import { ConnectionReady, ProfileDeleted, SendOtp } from '@messaging-gateway/contracts';
import { installationMail } from '@messaging-gateway/mail';
import { feature, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { sendGate } from '../gate/feature.ts';
import { sending } from '../sending/feature.ts';
import { secondaryChannels } from './20261123000000-secondary-channels.migration.ts';
import { channelTime, httpChannel, mailChannel, tenantMailChannel } from './channels.ts';
import { OtpSending } from './otp-sending.ts';
import { SecondaryRights } from './secondary-rights.ts';

/** One-time codes: by the network, or by a second channel when that does not confirm them. */
export const oneTimeCodes = feature({
  name: 'one-time codes',
  needs: { gate: sendGate, sending },
  migrations: [secondaryChannels],
  connect: (tools: ServiceTools<OutboundSettings>, { gate, sending: { sending: sends } }) => {
    const { ask, clock, log, settings, sql, store } = tools;
    const { otpFallbackUrl } = settings;
    const server = installationMail(settings, { timeoutMs: channelTime });
    const rights = new SecondaryRights({
      sql,
      clock,
      ask,
      perOrganization: settings.otpFallbackDailyLimit,
      perRecipient: settings.otpFallbackRecipientDailyLimit,
    });
    const codes = new OtpSending({
      store,
      clock,
      log,
      rights,
      lanes: gate.records,
      sending: sends,
      ackTimeoutMs: settings.otpAckTimeoutMs,
      tenantMail: tenantMailChannel(ask),
      mail: server && mailChannel(server),
      http: otpFallbackUrl === undefined ? undefined : httpChannel(otpFallbackUrl),
    });
    return {
      rows: [operation(SendOtp, (input) => codes.send(input))],
      hears: [
        reaction(ConnectionReady, async (_, { profileId }) => {
          if (profileId !== undefined) await rights.linked(profileId);
        }),
        reaction(ProfileDeleted, ({ profileId }) => rights.forget(profileId)),
      ],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await rights.forgetAll(organizationId);
        },
        tables: ['secondary_codes'],
      },
    };
  },
});
