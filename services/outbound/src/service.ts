import {
  ApplySendingPolicy,
  ConnectionDisconnected,
  ConnectionReady,
  ConnectionUpdate,
  ProfileCreated,
  ProfileDeleted,
  ReadSendingStates,
  SendText,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import {
  internalOperation,
  operation,
  reaction,
  type ServiceDefinition,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from './config.ts';
import { outboundParts } from './parts.ts';
import { queueMetrics } from './queue-metrics.ts';
import { publish } from './publishing.ts';
import { connectionNews } from './reactions/connections.ts';
import { receipts } from './reactions/receipts.ts';
import { sendText } from './sending/send-text.ts';

/** Everything that outbound does. */
export function outboundService(tools: ServiceTools<OutboundSettings>): ServiceDefinition {
  const { reception, quotes, policies, lanes, news, recorder, networkIds, running } = outboundParts(tools);
  const { clock } = tools;
  const receipt = receipts({ networkIds, recorder, lanes, news, clock });
  const connection = connectionNews(lanes, news, clock);
  return {
    name: 'outbound',
    rows: [
      operation(SendText, sendText(reception, quotes)),

      internalOperation(ApplySendingPolicy, (policy, context) => policies.apply(policy, context)),
      internalOperation(ReadSendingStates, ({ organizationId, profileIds }) =>
        policies.read(organizationId, profileIds),
      ),

      reaction(ProfileCreated, ({ profileId }, event) => policies.make(profileId, event.organizationId, event.id)),
      reaction(ProfileDeleted, ({ profileId }, event) => policies.close(profileId, event.organizationId, event.id)),
      reaction(ConnectionReady, (_, event) => connection(true)(event)),
      reaction(ConnectionDisconnected, (_, event) => connection(false)(event)),
      reaction(ConnectionUpdate, ({ status }, event) => connection(status === 'connected')(event)),
      reaction(SessionReceipt, receipt),
    ],
    publish,
    running: [...running, queueMetrics(tools)],
  };
}
