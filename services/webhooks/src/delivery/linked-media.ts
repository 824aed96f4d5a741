import { type GetLinkedMedia, placeOfMedia, type StreamedObjectOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import type { Subscriptions } from '../webhook/subscriptions.ts';
import { linkOf } from './media-link.ts';

/** Which object a link of an event stands for. @throws Refused NOT_FOUND, the same whatever is wrong with it */
export async function linkedMedia(
  { encryption, clock, sql }: Pick<ServiceTools<unknown>, 'encryption' | 'clock' | 'sql'>,
  subscriptions: Subscriptions,
  { params: { token } }: InputOf<typeof GetLinkedMedia>,
): Promise<StreamedObjectOf> {
  const link = linkOf(encryption, token);
  if (link === undefined || link.expiresAt <= clock.now()) throw absent();
  const [row] = await sql.query<{ version: number }>('SELECT version FROM webhooks WHERE id = $1', [link.webhookId]);
  const webhook = row && (await subscriptions.get(link.webhookId, row.version));
  const place = placeOfMedia(link.key);
  if (webhook?.enabled !== true || place?.organizationId !== webhook.organizationId) throw absent();
  const { profileIds } = webhook;
  const isHidden = place.profileId !== undefined && profileIds !== undefined && !profileIds.includes(place.profileId);
  if (isHidden || webhook.signedMediaUrls !== true) throw absent();
  return { key: link.key };
}

const absent = (): Refused => new Refused('NOT_FOUND', 'There are no such media, or the link is over.');
