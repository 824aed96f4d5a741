import { Slots } from '@messaging-gateway/runtime';
import {
  ConnectAccountProfile,
  ConnectProfile,
  DeleteAccountProfile,
  DeleteProfile,
  DisconnectAccountProfile,
  DisconnectProfile,
  GetProfileQr,
  GetProfileStatus,
  GetQr,
} from '@messaging-gateway/contracts';
import { mediaSources } from '@messaging-gateway/media';
import { answer, feature, operation, type OperationRow, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { ConnectionFaults } from '../connection/connection-faults.ts';
import { QrCodes } from '../connection/qr-codes.ts';
import { engines } from '../engine/feature.ts';
import { sessionData } from '../session-data/feature.ts';
import { ConnectionControl, type Named } from './connection-control.ts';
import { ConnectionNews } from './connection-news.ts';
import { DeletedProfiles } from './deleted-profiles.ts';
import { holderGauges, holderMetrics } from './held-profile.ts';
import { ProfilesHeld } from './profiles-held.ts';

/** Each streams; more would only share the line. */
const downloadsAtOnce = 8;

/** Connections of profiles: which replica holds which profile, keeps it connected and answers for it. */
export const holding = feature({
  name: 'holding',
  needs: { engines, sessions: sessionData },
  connect: (tools: ServiceTools<SessionsSettings>, needed) => {
    const { settings, cache, encryption, media } = tools;
    const qrCodes = new QrCodes(cache, encryption);
    const faults = new ConnectionFaults(cache);
    const held = new ProfilesHeld({
      tools,
      ...needed,
      qrCodes,
      faults,
      metrics: holderMetrics(tools.metrics),
      sources: mediaSources({ store: media, policy: { allowPrivate: settings.allowPrivateTargets } }),
      downloads: new Slots(downloadsAtOnce),
    });
    const deleted = new DeletedProfiles({ tools, held, sessions: needed.sessions });
    const news = new ConnectionNews(tools.journal, tools.clock);
    const control = new ConnectionControl({ tools, held, engines: needed.engines, qrCodes, faults, news, deleted });
    return {
      api: { held, control, news, qrCodes },
      rows: [...steering(control), ...held.rows()],
      running: [held, news],
      jobs: [...held.jobs, deleted.job],
      metrics: holderGauges(() => held.statuses()),
      personalData: { first: (whose, context) => control.removeAllOf(whose, context) },
    };
  },
});

const named = ({ accountId, profileId }: { readonly accountId: string; readonly profileId: string }): Named => ({
  id: profileId,
  accountId,
});

/** Rows of what people do with a connection, by the profile's own path and by that of its account. */
const steering = (control: ConnectionControl): readonly OperationRow[] => [
  operation(ConnectProfile, (input) => control.connect(input.params, input)),
  operation(ConnectAccountProfile, (input) => control.connect(named(input.params), input)),
  operation(DisconnectProfile, (input) => control.disconnect(input.params, input)),
  operation(DisconnectAccountProfile, (input) => control.disconnect(named(input.params), input)),
  operation(DeleteProfile, async ({ params, caller, context }) => {
    await control.remove(params, caller, context);
    return answer(204);
  }),
  operation(DeleteAccountProfile, async ({ params, caller, context }) => {
    await control.remove(named(params), caller, context);
    return answer(204);
  }),
  operation(GetProfileStatus, (input) => control.status(input.params.id, input)),
  operation(GetProfileQr, (input) => control.qr(input.params, input)),
  operation(GetQr, (input) => control.qr(named(input.params), input)),
];
