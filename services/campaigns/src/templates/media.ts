import {
  keyOfMediaUrl,
  mediaKinds,
  mediaUrl,
  namedUuids,
  templateMediaKey,
  type Caller,
  type SendableType,
} from '@messaging-gateway/contracts';
import { view } from '@messaging-gateway/event-sourcing';
import { givenMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { hasPlaceholders } from '@messaging-gateway/placeholders';
import { every, type Job } from '@messaging-gateway/service';
import { templateStream } from './template-stream.ts';
import type { Content } from './template.ts';
import type { TemplateTools } from './tools.ts';

const hourMs = 3_600_000;
/** Objects that are deleted in one go. */
const together = 100;

interface Keeping {
  readonly templateId: string;
  readonly caller: Caller;
  /** Of the request: a repeat of it keeps media under the same key. */
  readonly requestId: string;
}

/**
 * Reads where the media of a content come from, and keeps those of the media store for the template: uploads are tidied
 * away some day.
 *
 * @returns the content with the URL of what is kept
 * @throws Refused VALIDATION_ERROR naming the field, MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export async function withKeptMedia(
  tools: TemplateTools,
  messageType: SendableType,
  content: Content,
  keeping: Keeping,
): Promise<Content> {
  const kind = mediaKinds.find((known) => known === messageType);
  if (kind === undefined) return content;
  const { url, base64, ...fields } = content as { readonly url?: string; readonly base64?: string };
  // Where it leads is known when it is filled.
  if (url !== undefined && base64 === undefined && hasPlaceholders(url)) return content;
  const read = givenMedia({ media: tools.media, allowPrivate: tools.settings.allowPrivateTargets });
  const given = { ...(url !== undefined && { url }), ...(base64 !== undefined && { base64 }) };
  const source = await read(given, kind, { caller: keeping.caller, path: 'body.content' });
  if (!('key' in source)) return content;
  return { ...fields, url: mediaUrl(await keep(tools, source.key, keeping)) };
}

/** @returns the key of the template's own copy */
async function keep({ sql, media, clock }: TemplateTools, from: string, keeping: Keeping): Promise<string> {
  const { templateId, requestId } = keeping;
  const { organizationId } = keeping.caller;
  const [own] = await sql.query('SELECT 1 FROM template_media WHERE key = $1 AND template_id = $2', [from, templateId]);
  if (own !== undefined) return from;
  const key = templateMediaKey(organizationId, namedUuids(requestId)('media of the template'));
  // Noted first, as nobody's: what is copied and then used by no template is found and deleted.
  await sql.query(
    `INSERT INTO template_media (key, organization_id, template_id, released_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (key) DO NOTHING`,
    [key, organizationId, templateId, new Date(clock.now())],
  );
  if ((await media.facts(key)) !== undefined) return key;
  const object = await media.get(from);
  if (object === undefined) throw new Refused('MEDIA_UNAVAILABLE', 'The media are not stored here any more.');
  const { stream, size: limit, mimetype, filename } = object;
  await media.put(key, stream, { limit, mimetype, filename });
  return key;
}

/** Media are a template's from the statement that says so, and nobody's from the one that says otherwise. */
export const mediaHeldView = view({
  name: 'template_media_held',
  of: templateStream,
  on: ['TemplateCreated', 'TemplateChanged', 'TemplateDeleted'],
  rows: (events) =>
    events.map(({ data }) => ({
      templateId: data.templateId,
      key: 'content' in data ? keyIn(data.content) : null,
      at: data.at,
    })),
  sql: `
    UPDATE {schema}.template_media held
       SET released_at = CASE WHEN held.key = row->>'key' THEN NULL
                              ELSE coalesce(held.released_at, (row->>'at')::timestamptz) END
      FROM {rows} WHERE held.template_id = (row->>'templateId')::uuid`,
});

const keyIn = ({ url }: Content): string | null => (typeof url === 'string' ? (keyOfMediaUrl(url) ?? null) : null);

/** Deletes what no template holds, when nothing that was accepted with it can wait any more. */
export const releasing = ({ sql, media, clock, settings }: TemplateTools): Job =>
  every(
    '1h',
    'media of templates',
    async (signal) => {
      const before = new Date(clock.now() - settings.queuedMessageTtlHours * hourMs);
      for (let more = true; more && !signal.aborted;) {
        const released = await sql.query<{ key: string }>(
          'SELECT key FROM template_media WHERE released_at < $1 ORDER BY released_at LIMIT $2',
          [before, together],
        );
        for (const { key } of released) {
          await media.delete(key);
          await sql.query('DELETE FROM template_media WHERE key = $1 AND released_at < $2', [key, before]);
        }
        more = released.length === together;
      }
    },
    { alone: true },
  );
