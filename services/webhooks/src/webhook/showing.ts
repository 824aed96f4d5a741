import type { Webhook } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import { shownHeaders } from './headers.ts';
import type { ActiveWebhook } from './webhook.ts';

/** A webhook as the API shows it: never with its secret, nor with the values of its headers. */
export const shownWebhook = (id: string, webhook: ActiveWebhook): Static<typeof Webhook> => ({
  id,
  url: webhook.url,
  events: [...webhook.events],
  enabled: webhook.enabled,
  ...(webhook.profileIds && { profileIds: [...webhook.profileIds] }),
  ...(webhook.headers && { headers: shownHeaders(webhook.headers) }),
  payloadVersion: webhook.payloadVersion ?? 1,
  signedMediaUrls: webhook.signedMediaUrls ?? false,
  hasSecret: webhook.secret !== undefined,
  disabledReason: webhook.disabledReason ?? null,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
});
