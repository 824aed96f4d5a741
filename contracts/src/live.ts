import type { Permission } from './permissions.ts';
import { webhookEventKinds } from './operations/webhooks/shapes.ts';

/** Kinds that only `GET /live` tells: webhooks and `GET /events` do not. */
export const liveOnlyKinds = [
  'conversation.updated',
  'broadcast.updated',
  'broadcast.progress',
  'bulk.progress',
  'import.progress',
  'notification.created',
] as const;
export type LiveOnlyKind = (typeof liveOnlyKinds)[number];

/** Every kind that `GET /live` tells. */
export const liveKinds: readonly string[] = [...webhookEventKinds, ...liveOnlyKinds];

/** Of a kind, else of its group. `own`: whoever it is addressed to. */
const needed: Readonly<Record<string, Permission | 'own'>> = {
  'connection.qr': 'profile:connect',
  automation: 'automation:read',
  broadcast: 'broadcast:read',
  bulk: 'message:read',
  connection: 'profile:read',
  contact: 'contact:read',
  conversation: 'message:read',
  group: 'group:read',
  import: 'contact:import',
  message: 'message:read',
  notification: 'own',
  presence: 'message:read',
  profile: 'profile:read',
  webhook: 'webhook:manage',
};

/** The permission that somebody needs to be told events of this kind live. */
export const livePermission = (kind: string): Permission | 'own' =>
  needed[kind] ?? needed[kind.split('.')[0] ?? ''] ?? 'webhook:manage';
