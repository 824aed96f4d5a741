import {
  ApplySendingPolicy,
  ConnectionDisconnected,
  ConnectionReady,
  ConnectionUpdate,
  DeleteForEveryone,
  ProfileCreated,
  ProfileDeleted,
  ReadSendingStates,
  SendAudio,
  SendContact,
  SendDocument,
  SendImage,
  SendLocation,
  SendPoll,
  SendReaction,
  SendReply,
  SendText,
  SendVideo,
  SessionReceipt,
  SetTyping,
} from '@messaging-gateway/contracts';
import {
  internalOperation,
  operation,
  reaction,
  type ServiceDefinition,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from './config.ts';
import { sharedClock } from './time/shared-clock.ts';
import { sendHistory } from './later/history.ts';
import { outboundParts } from './parts.ts';
import { outboundData } from './personal-data.ts';
import { queueMetrics } from './queue-metrics.ts';
import { publish } from './publishing.ts';
import { connectionNews } from './reactions/connections.ts';
import { receipts } from './reactions/receipts.ts';
import { sendRoutes } from './sending/send-routes.ts';
import { setTyping } from './sending/typing.ts';
import { networkIdMonths } from './views/network-ids.ts';

const dayMs = 86_400_000;

/** Everything that outbound does. */
export function outboundService(given: ServiceTools<OutboundSettings>): ServiceDefinition {
  const sharedTime = sharedClock(given);
  const tools = { ...given, clock: sharedTime };
  const { sending, targets, compose, policies, lanes, owners, journal, networkIds, later, running } =
    outboundParts(tools);
  const { clock } = tools;
  const send = sendRoutes({ compose, targets, sending, clock });
  const receipt = receipts({ networkIds, journal, lanes, owners, clock });
  const connection = connectionNews(lanes, owners);
  return {
    name: 'outbound',
    rows: [
      operation(SendText, send.message('text')),
      operation(SendImage, send.message('image')),
      operation(SendVideo, send.message('video')),
      operation(SendAudio, send.message('audio')),
      operation(SendDocument, send.message('document')),
      operation(SendLocation, send.message('location')),
      operation(SendContact, send.message('contact')),
      operation(SendPoll, send.message('poll')),
      operation(SendReply, send.reply),
      operation(SendReaction, send.reaction),
      operation(DeleteForEveryone, send.deletion),
      operation(SetTyping, setTyping(tools)),

      ...later.rows,

      internalOperation(ApplySendingPolicy, (policy, context) => policies.apply(policy, context)),
      internalOperation(ReadSendingStates, ({ organizationId, profileIds }) =>
        policies.read(organizationId, profileIds),
      ),

      ...outboundData(tools, { policies, later }),

      reaction(ProfileCreated, ({ profileId }, event) => policies.make(profileId, event.organizationId, event.id)),
      reaction(ProfileDeleted, async ({ profileId }, { organizationId, id }) => {
        await policies.close(profileId, organizationId, id);
        await later.closed(profileId, organizationId);
      }),
      reaction(ConnectionReady, async (_, event) => {
        await connection(true)(event);
        if (event.profileId !== undefined) await later.connected(event.profileId);
      }),
      reaction(ConnectionDisconnected, (_, event) => connection(false)(event)),
      reaction(ConnectionUpdate, ({ status }, event) => connection(status === 'connected')(event)),
      reaction(SessionReceipt, receipt),
    ],
    publish,
    running: [sharedTime, ...running, queueMetrics(tools)],
    jobs: [networkIdMonths(tools, tools.settings.receiptWindowDays * dayMs), ...later.jobs],
    history: sendHistory(tools.settings.sendHistoryRetentionDays),
  };
}
