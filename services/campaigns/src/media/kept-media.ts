import {
  keyOfMediaUrl,
  mediaKinds,
  mediaUrl,
  namedUuids,
  templateMediaKey,
  type Caller,
} from '@messaging-gateway/contracts';
import { givenMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { hasPlaceholders } from '@messaging-gateway/placeholders';
import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import type { CampaignsSettings } from '../config.ts';

type MediaTools = Pick<ServiceTools<CampaignsSettings>, 'sql' | 'media' | 'clock' | 'settings'>;
type Content = Readonly<Record<string, unknown>>;

/** Objects that are deleted in one go. */
const together = 100;

/** Owners of media: `table` has a row for each object (`key`, `organization_id`, `released_at`), `owner` is the column of its id. */
export interface Holders {
  readonly table: 'template_media' | 'broadcast_media';
  readonly owner: 'template_id' | 'broadcast_id';
}

export interface Keeping {
  /** Of the template or the broadcast. */
  readonly ownerId: string;
  readonly caller: Pick<Caller, 'organizationId' | 'profileIds'>;
  /** A repeat of the request with this id keeps media under the same key. */
  readonly requestId: string;
  /** Of the content, for example `body.content`. */
  readonly path: string;
}

/**
 * Reads where the media of a content come from, and keeps a copy of those of the media store for whom they are: uploads are
 * tidied away some day.
 *
 * @returns the content with the URL of what is kept
 * @throws Refused VALIDATION_ERROR naming the field, MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export async function withKeptMedia<C extends object>(
  tools: MediaTools,
  holders: Holders,
  messageType: string,
  content: C,
  keeping: Keeping,
): Promise<C | Content> {
  const kind = mediaKinds.find((known) => known === messageType);
  if (kind === undefined) return content;
  const { url, base64, ...fields } = content as { readonly url?: string; readonly base64?: string };
  // Where it leads is known when it is filled.
  if (url !== undefined && base64 === undefined && hasPlaceholders(url)) return content;
  const read = givenMedia({ media: tools.media, allowPrivate: tools.settings.allowPrivateTargets });
  const given = { ...(url !== undefined && { url }), ...(base64 !== undefined && { base64 }) };
  const { caller, path } = keeping;
  const source = await read(given, kind, { caller, path });
  if (!('key' in source)) return content;
  return { ...fields, url: mediaUrl(await keep(tools, holders, source.key, keeping)) };
}

/** @returns the key of the own copy */
async function keep(
  { sql, media, clock }: MediaTools,
  { table, owner }: Holders,
  from: string,
  { ownerId, requestId, caller: { organizationId } }: Keeping,
): Promise<string> {
  const [own] = await sql.query(`SELECT 1 FROM ${table} WHERE key = $1 AND ${owner} = $2`, [from, ownerId]);
  if (own !== undefined) return from;
  const key = templateMediaKey(organizationId, namedUuids(requestId)('media of the template'));
  // Noted first, as nobody's: what is copied and then used by nothing is found and deleted.
  await sql.query(
    `INSERT INTO ${table} (key, organization_id, ${owner}, released_at) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING`,
    [key, organizationId, ownerId, new Date(clock.now())],
  );
  if ((await media.facts(key)) !== undefined) return key;
  const object = await media.get(from);
  if (object === undefined) throw new Refused('MEDIA_UNAVAILABLE', 'The media are not stored here any more.');
  const { stream, size: limit, mimetype, filename } = object;
  await media.put(key, stream, { limit, mimetype, filename });
  return key;
}

/** The key of what a content names in the media store. */
export function storedKeyIn(content: unknown): string | null {
  const url = typeof content === 'object' && content !== null && 'url' in content ? content.url : undefined;
  return typeof url === 'string' ? (keyOfMediaUrl(url) ?? null) : null;
}

/** Rows that may go: SQL, and its parameters from $2 on. */
type Released = () => readonly [text: string, ...values: readonly unknown[]];

/** Deletes what nobody holds any more, some time after. */
export const releasing = ({ sql, media }: MediaTools, { table }: Holders, name: string, released: Released): Job =>
  every(
    '1h',
    name,
    async (signal) => {
      const [text, ...values] = released();
      for (let more = true; more && !signal.aborted;) {
        const rows = await sql.query<{ key: string }>(
          `SELECT key FROM ${table} WHERE ${text} ORDER BY released_at LIMIT $1`,
          [together, ...values],
        );
        for (const { key } of rows) {
          await media.delete(key);
          await sql.query(`DELETE FROM ${table} WHERE key = $1 AND ${text}`, [key, ...values]);
        }
        more = rows.length === together;
      }
    },
    { alone: true },
  );
