import { keyOfMediaUrl, placeOfMedia, type ToldEvent } from '@messaging-gateway/contracts';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Static } from 'typebox';
import type { WebhooksSettings } from '../config.ts';
import type { ActiveWebhook } from '../webhook/webhook.ts';
import { linkMs, tokenOf } from './media-link.ts';

/** Fields that payload version 2 has added, by kind. */
const added: Readonly<Record<string, readonly string[]>> = {
  'message.received': ['content', 'pushName', 'quoted', 'firstEver', 'broadcast'],
  'message.recovered': ['content', 'pushName', 'quoted', 'firstEver', 'broadcast'],
  'message.sent': ['content', 'quotedMessageId', 'timestamp'],
  'message.status': ['type', 'conversationId', 'origin'],
  'contact.updated': ['mergedInto', 'previousPhone'],
};

/** The kinds that are not told as they stand in the log, whoever is told; bodies begin so, as `toldEvent` makes them. */
const isShaped = /^\{"id":"[^"]{1,64}","event":"message\.(received|recovered|sent|media)"/;
/** The kinds that payload version 1 has without the fields added since. */
const hasGained = /^\{"id":"[^"]{1,64}","event":"(message\.status|contact\.updated)"/;

type Fields = Record<string, unknown>;

export interface PayloadParts {
  readonly settings: Pick<WebhooksSettings, 'publicUrl'>;
  readonly encryption: EncryptionKeys;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * An event's body as a webhook asks for it: in its payload version, URLs of media absolute, and without need of a
 * credential where it wants that.
 *
 * @param body as it stands in the log, JSON
 */
export function payloadFor(
  body: string,
  to: { readonly webhookId: string; readonly organizationId: string },
  webhook: Pick<ActiveWebhook, 'payloadVersion' | 'signedMediaUrls' | 'reachedAt'>,
  { settings, encryption, now }: PayloadParts,
): string {
  const isEarlier = (webhook.payloadVersion ?? 1) === 1;
  if (!isShaped.test(body) && !(isEarlier && hasGained.test(body))) return body;
  const event = JSON.parse(body) as Static<typeof ToldEvent>;
  const host = settings.publicUrl ?? webhook.reachedAt ?? '';
  const data = isEarlier ? asBefore(event.event, event.data) : event.data;
  const urlOf = (url: string): string => {
    const key = keyOfMediaUrl(url);
    if (key === undefined) return url;
    if (webhook.signedMediaUrls !== true || placeOfMedia(key)?.organizationId !== to.organizationId) return host + url;
    const token = tokenOf(encryption, { webhookId: to.webhookId, key, expiresAt: now + linkMs });
    return `${host}/api/v1/media/links/${token}`;
  };
  return JSON.stringify({ ...event, data: withMediaUrls(data, urlOf) });
}

/** An event as `GET /events` shows it. @param host without a slash at its end */
export function shownEvent(body: string, host: string): Static<typeof ToldEvent> {
  const event = JSON.parse(body) as Static<typeof ToldEvent>;
  if (!isShaped.test(body)) return event;
  return { ...event, data: withMediaUrls(event.data, (url) => (keyOfMediaUrl(url) === undefined ? url : host + url)) };
}

function asBefore(kind: string, data: Fields): Fields {
  const left = Object.fromEntries(Object.entries(data).filter(([name]) => added[kind]?.includes(name) !== true));
  if (kind === 'contact.updated') return left['change'] === 'number' ? { ...left, change: 'updated' } : left;
  return left['type'] === 'sticker' ? { ...left, type: 'image' } : left;
}

/** With another URL wherever one of media stands: never in what somebody wrote. */
function withMediaUrls(data: Fields, urlOf: (url: string) => string): Fields {
  const content = fieldsIn(data['content']);
  return {
    ...data,
    ...within('media', data, urlOf),
    ...(content !== undefined && {
      content: { ...content, ...withUrl(content, urlOf), ...within('media', content, urlOf) },
    }),
  };
}

function within(name: string, holder: Fields, urlOf: (url: string) => string): Fields {
  const fields = fieldsIn(holder[name]);
  return fields === undefined ? {} : { [name]: { ...fields, ...withUrl(fields, urlOf) } };
}

const withUrl = ({ url }: Fields, urlOf: (url: string) => string): Fields =>
  typeof url === 'string' ? { url: urlOf(url) } : {};

const fieldsIn = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined;
