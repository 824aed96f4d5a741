import {
  ConnectionDisconnected,
  ConnectionQr,
  ConnectionReady,
  ConnectionUpdate,
  GroupParticipants,
  GroupUpdated,
  ProfileCreated,
  ProfileDeleted,
  SessionGroupNamed,
  SessionHistory,
  SessionMessage,
  SessionMessageChanged,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { publication, type Publication, type Publish } from '@messaging-gateway/service';
import type { ProfileEvent } from './profiles/profile.ts';
import { factOf, type TrafficEvent } from './traffic/traffic.ts';

/** What the journal of sessions tells everyone. */
export const publish: Publish = (entry) => {
  const event = entry as unknown as ProfileEvent | TrafficEvent;
  switch (event.type) {
    case 'ProfileCreated': {
      const { profileId, accountId, workspaceId, name } = event.data;
      return [publication(ProfileCreated, { profileId, accountId, workspaceId, name })];
    }
    case 'ProfileDeleted':
      return [publication(ProfileDeleted, { profileId: event.data.profileId })];
    case 'StatusChanged': {
      const { status, reason } = event.data;
      return [publication(ConnectionUpdate, { status, ...(reason !== undefined && { reason }) })];
    }
    case 'QrShown':
      return [publication(ConnectionQr, event.data)];
    case 'Connected': {
      const { phoneNumber, pushName } = event.data;
      return [
        publication(ConnectionUpdate, { status: 'connected' }),
        publication(ConnectionReady, { phoneNumber, pushName: pushName ?? null }),
      ];
    }
    case 'Disconnected':
      return [publication(ConnectionDisconnected, { reason: event.data.reason })];
    case 'MessageSeen':
      return [told(event.data, entry.at)];
    case 'MessageChangeSeen':
      return [publication(SessionMessageChanged, factOf(event.data))];
    case 'ReceiptSeen':
      return [publication(SessionReceipt, factOf(event.data))];
    case 'GroupChangeSeen':
      return [publication(GroupUpdated, factOf(event.data))];
    case 'ParticipantsSeen':
      return [publication(GroupParticipants, factOf(event.data))];
    case 'GroupNameSeen':
      return [publication(SessionGroupNamed, factOf(event.data))];
    default:
      return [];
  }
};

/** It happened when it came, which is what its place in its chat goes by: not when it was told. */
function told(
  { arrivedAt = Infinity, ...seen }: Extract<TrafficEvent, { type: 'MessageSeen' }>['data'],
  at: Date,
): Publication {
  const message = factOf(seen);
  const { delivery } = message;
  if (delivery === 'history') return publication(SessionHistory, { ...message, delivery });
  return { ...publication(SessionMessage, message), time: new Date(Math.min(arrivedAt, at.getTime())).toISOString() };
}
