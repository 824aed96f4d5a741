import type { BinaryNode, WASocket } from '@whiskeysockets/baileys';
import type { NetworkHealth } from '../../engine.ts';

/** A time of the network, in seconds since 1970, as milliseconds. Absent: none, or 0. */
const timeOf = (value: unknown): number | undefined => {
  const seconds = Number(value ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
};

const isoOf = (value: unknown): string | null => {
  const time = timeOf(value);
  return time === undefined ? null : new Date(time).toISOString();
};

const statuses = {
  NONE: 'none',
  FIRST_WARNING: 'first_warning',
  SECOND_WARNING: 'second_warning',
  CAPPED: 'capped',
} as const;
const isStatus = (value: unknown): value is keyof typeof statuses => typeof value === 'string' && value in statuses;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Reads the network's answer or notification about a restriction. */
function restrictionOf(value: unknown): Pick<NetworkHealth, 'restriction'> {
  if (!isFields(value)) return {};
  if (value['is_active'] !== true) return { restriction: null };
  const until = timeOf(value['time_enforcement_ends']);
  const type = value['enforcement_type'];
  return {
    restriction: {
      type: typeof type === 'string' && type !== '' ? type.slice(0, 64) : 'DEFAULT',
      ...(until !== undefined && { until }),
    },
  };
}

/** Reads the network's answer or notification about the quota of new chats. */
function newChatsOf(value: unknown): Pick<NetworkHealth, 'newChats'> {
  if (!isFields(value)) return {};
  const status = value['capping_status'];
  const count = (name: string): number => Math.max(0, Math.trunc(Number(value[name] ?? 0)) || 0);
  return {
    newChats: {
      status: isStatus(status) ? statuses[status] : 'none',
      used: count('used_quota'),
      quota: count('total_quota'),
      cycleStart: isoOf(value['cycle_start_timestamp']),
      cycleEnd: isoOf(value['cycle_end_timestamp']),
    },
  };
}

/** Queries the network. The quota is left out if the network does not report it. */
export async function queryHealth(
  socket: Pick<WASocket, 'fetchAccountReachoutTimelock' | 'fetchNewChatMessageCap'>,
): Promise<NetworkHealth> {
  const [lock, cap] = await Promise.all([
    socket.fetchAccountReachoutTimelock(),
    socket.fetchNewChatMessageCap().catch(() => undefined),
  ]);
  const { isActive = false, enforcementType: type = 'DEFAULT', timeEnforcementEnds } = lock;
  const until = timeEnforcementEnds?.getTime();
  return {
    restriction: isActive ? { type, ...(until !== undefined && { until }) } : null,
    ...newChatsOf(cap),
  };
}

/**
 * Reads a notification of type `mex`. The library emits these too, but replaces an end that the network did not name by the time in 60 s.
 *
 * @returns undefined if it is about something else
 */
export function notifiedHealth({ content }: BinaryNode): NetworkHealth | undefined {
  const update = Array.isArray(content) ? content.find(({ tag }) => tag === 'update') : undefined;
  const data = dataOf(update?.content);
  switch (update?.attrs['op_name']) {
    case 'NotificationUserReachoutTimelockUpdate':
      return restrictionOf(data?.['xwa2_notify_account_reachout_timelock']);
    case 'MessageCappingInfoNotification':
      return newChatsOf(data?.['xwa2_notify_new_chat_messages_capping_info_update']);
    default:
      return undefined;
  }
}

/** `data` of a JSON document. */
function dataOf(content: BinaryNode['content']): Fields | undefined {
  if (content === undefined || Array.isArray(content)) return undefined;
  try {
    const parsed: unknown = JSON.parse(content.toString());
    const data = isFields(parsed) ? parsed['data'] : undefined;
    return isFields(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
