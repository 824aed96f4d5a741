import type { SendableType } from '@messaging-gateway/contracts';
import { view } from '@messaging-gateway/event-sourcing';
import type { Job } from '@messaging-gateway/service';
import { releasing, storedKeyIn, withKeptMedia, type Holders, type Keeping } from '../media/kept-media.ts';
import { templateStream } from './template-stream.ts';
import type { Content } from './template.ts';
import type { TemplateTools } from './tools.ts';

const hourMs = 3_600_000;
const templates: Holders = { table: 'template_media', owner: 'template_id' };

type OfTemplate = Omit<Keeping, 'ownerId' | 'path'> & { readonly templateId: string };

/**
 * Keeps the media of a template's content for it.
 *
 * @returns the content with the URL of what is kept
 * @throws Refused VALIDATION_ERROR naming the field, MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export const keptForTemplate = (
  tools: TemplateTools,
  messageType: SendableType,
  content: Content,
  { templateId, ...keeping }: OfTemplate,
): Promise<Content> =>
  withKeptMedia(tools, templates, messageType, content, { ...keeping, ownerId: templateId, path: 'body.content' });

/** Media are a template's from the statement that says so, and nobody's from the one that says otherwise. */
export const mediaHeldView = view({
  name: 'template_media_held',
  of: templateStream,
  on: ['TemplateCreated', 'TemplateChanged', 'TemplateDeleted'],
  rows: (events) =>
    events.map(({ data }) => ({
      templateId: data.templateId,
      key: 'content' in data ? storedKeyIn(data.content) : null,
      at: data.at,
    })),
  sql: `
    UPDATE {schema}.template_media held
       SET released_at = CASE WHEN held.key = row->>'key' THEN NULL
                              ELSE coalesce(held.released_at, (row->>'at')::timestamptz) END
      FROM {rows} WHERE held.template_id = (row->>'templateId')::uuid`,
});

/** Deletes what no template holds, when nothing that was accepted with it can wait any more. */
export const releasingMedia = (tools: TemplateTools): Job =>
  releasing(tools, templates, 'media of templates', () => [
    'released_at < $2',
    new Date(tools.clock.now() - tools.settings.queuedMessageTtlHours * hourMs),
  ]);
