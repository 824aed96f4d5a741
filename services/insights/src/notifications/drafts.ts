import type {
  AiHampered,
  BroadcastCompleted,
  BroadcastFailed,
  BroadcastHeld,
  ChatMuted,
  ConnectionReady,
  ConnectionUpdate,
  DailyLimitReached,
  DataOf,
  MessageReceived,
  ProfileHealth,
  ScheduleMissed,
  WebhookDisabled,
} from '@messaging-gateway/contracts';
import type { Draft } from './draft.ts';
import { preview } from './preview.ts';

/** Messages without a text. */
const kinds: Readonly<Record<string, string>> = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  location: 'Location',
  contact: 'Contact',
  poll: 'Poll',
  sticker: 'Sticker',
};

const phoneOf = (jid: string): string | undefined => /^(\d+)@c\.us$/.exec(jid)?.[1];

/** The tally of a chat, by which its pushes are told apart too. */
const chatTally = (conversationId: string): string => `chat:${conversationId}`;

export function ofMessage(data: DataOf<typeof MessageReceived>, profileId: string | undefined): Draft {
  const { id: messageId, conversationId, from, author, pushName, body, type } = data;
  const person = author ?? from;
  const phone = phoneOf(person);
  const name = pushName ?? (phone === undefined ? 'Somebody' : `+${phone}`);
  return {
    type: 'message',
    title: preview(from.endsWith('@g.us') ? `${name}, in a group` : name),
    body: preview(body === undefined || body === '' ? (kinds[type] ?? 'Message') : body),
    metadata: { ...(profileId !== undefined && { profileId }), conversationId },
    needs: 'message:read',
    wish: 'notifyOnMessage',
    ...(profileId !== undefined && { profileId }),
    tally: chatTally(conversationId),
    conversationId,
    messageId,
    person,
  };
}

const connection = (profileId: string, word: string) =>
  ({
    type: 'connection',
    metadata: { profileId },
    needs: 'profile:read',
    profileId,
    tally: `${word}:${profileId}`,
  }) as const;

export function ofReady({ phoneNumber, pushName }: DataOf<typeof ConnectionReady>, profileId: string): Draft {
  const name = pushName === null ? '' : ` (${pushName})`;
  return {
    ...connection(profileId, 'ready'),
    title: 'Profile connected',
    body: preview(`+${phoneNumber}${name} is connected.`),
    wish: 'notifyOnConnect',
  };
}

/** Undefined: nothing that anybody has to be told. */
export function ofConnection(
  { status, reason }: DataOf<typeof ConnectionUpdate>,
  profileId: string,
): Draft | undefined {
  const why = reason === undefined ? '' : ` (${reason})`;
  if (status === 'logged_out')
    return {
      ...connection(profileId, status),
      title: 'Profile logged out',
      body: preview(`The phone has unlinked a profile${why}: it needs a new scan.`),
      wish: 'notifyOnDisconnect',
    };
  if (status === 'failed')
    return {
      ...connection(profileId, status),
      title: 'Connection failed',
      body: preview(`A profile cannot be connected${why}.`),
      wish: 'notifyOnDisconnect',
    };
  return undefined;
}

/** Undefined: the account is not restricted. */
export function ofHealth({ id, restriction }: DataOf<typeof ProfileHealth>): Draft | undefined {
  if (restriction === undefined || restriction === null) return undefined;
  const end = restriction.until === null ? '' : ` until ${restriction.until}`;
  return {
    ...connection(id, 'restricted'),
    title: 'Profile restricted',
    body: preview(`The network does not let a profile write to new people${end}. Replies are sent, broadcasts wait.`),
    wish: 'notifyOnDisconnect',
  };
}

const broadcast = (id: string, profileId: string | undefined) =>
  ({
    type: 'broadcast',
    metadata: { broadcastId: id, ...(profileId !== undefined && { profileId }) },
    needs: 'broadcast:read',
    ...(profileId !== undefined && { profileId }),
  }) as const;

export const ofCompleted = (
  { id, total, sent, failed }: DataOf<typeof BroadcastCompleted>,
  profileId: string | undefined,
): Draft => ({
  ...broadcast(id, profileId),
  title: 'Broadcast completed',
  body: `${sent} of ${total} sent, ${failed} failed.`,
});

export const ofFailed = (
  { id, total, sent, reason }: DataOf<typeof BroadcastFailed>,
  profileId: string | undefined,
): Draft => ({
  ...broadcast(id, profileId),
  title: 'Broadcast failed',
  body: `It cannot go on (${reason}): ${sent} of ${total} were sent.`,
});

export const ofHeld = ({ id, resumesAt }: DataOf<typeof BroadcastHeld>, profileId: string | undefined): Draft => ({
  ...broadcast(id, profileId),
  title: 'Broadcast paused',
  body: `The daily limit is reached: it goes on at ${resumesAt}.`,
});

export const ofMuted = ({ profileId, conversationId }: DataOf<typeof ChatMuted>): Draft => ({
  type: 'automation',
  title: 'Chat muted',
  body: 'Automation has sent too much to a chat in which nobody of yours writes: it is silent there for a day.',
  metadata: { profileId, conversationId },
  needs: 'automation:read',
  profileId,
  tally: `muted:${conversationId}`,
});

export const ofHampered = ({ reason }: DataOf<typeof AiHampered>): Draft => ({
  type: 'automation',
  title: reason === 'provider' ? 'AI provider failing' : 'AI budget exhausted',
  body:
    reason === 'provider'
      ? 'The AI provider fails again and again: automatic answers fall back or fail.'
      : 'The AI tokens of this month do not suffice any more.',
  metadata: {},
  needs: 'automation:read',
  tally: `ai:${reason}`,
});

export const ofMissed = ({ flowId, profileId, missedAt, nextAt }: DataOf<typeof ScheduleMissed>): Draft => ({
  type: 'automation',
  title: 'Schedule missed',
  body: `A flow was to fire at ${missedAt} and could not: ${nextAt === null ? 'it does not fire again' : `next at ${nextAt}`}.`,
  metadata: { profileId, flowId },
  needs: 'automation:read',
  profileId,
  tally: `missed:${flowId}`,
});

export const ofDisabledWebhook = ({ id, reason }: DataOf<typeof WebhookDisabled>): Draft => ({
  type: 'system',
  title: 'Webhook disabled',
  body:
    reason === 'GONE'
      ? 'Its receiver says that it is gone (410): nothing is delivered there any more.'
      : 'Nothing but failures came back for days: nothing is delivered there any more.',
  metadata: { webhookId: id },
  needs: 'webhook:manage',
  tally: `webhook:${id}`,
});

export const ofDailyLimit = (
  { id, limit, resetAt }: DataOf<typeof DailyLimitReached>,
  profileId: string | undefined,
): Draft => ({
  type: 'system',
  title: 'Daily limit reached',
  body: `A profile has sent its ${limit} messages of today: it sends again from ${resetAt} on.`,
  metadata: { profileId: profileId ?? id },
  needs: 'profile:read',
  profileId: profileId ?? id,
  tally: `limit:${profileId ?? id}`,
});
