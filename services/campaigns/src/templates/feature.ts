import {
  CreateTemplate,
  DeleteTemplate,
  DuplicateTemplate,
  GetTemplate,
  ListTemplates,
  MessageAccepted,
  PreviewTemplate,
  ProfileDeleted,
  RenderTemplate,
  UpdateTemplate,
} from '@messaging-gateway/contracts';
import { answer, feature, batchedReaction, internalOperation, operation, reaction } from '@messaging-gateway/service';
import { templatesMigration } from './0001-templates.migration.ts';
import { deleteTemplate, updateTemplate } from './changing.ts';
import { createTemplate } from './creating.ts';
import { duplicateTemplate } from './duplicating.ts';
import { getTemplate, listTemplates } from './listing.ts';
import { mediaHeldView, releasingMedia } from './media.ts';
import { nameGuard, namesFreedView } from './names.ts';
import { templatesHeld } from './personal-data.ts';
import { deleteTemplatesOf } from './profile-gone.ts';
import { previewTemplate, renderTemplate } from './rendering.ts';
import { templateStream } from './template-stream.ts';
import { TemplateEntity, templatesView } from './templates-view.ts';
import type { TemplateTools } from './tools.ts';
import { forgetting, Usage } from './usage.ts';

type Asked = Parameters<typeof renderTemplate>[1];

/** Contents under a name, with placeholders that are filled when they are sent. */
export const templates = feature({
  name: 'templates',
  streams: [templateStream],
  views: [templatesView, namesFreedView, mediaHeldView],
  guards: [nameGuard],
  entities: [TemplateEntity],
  migrations: [templatesMigration],
  connect: (tools: TemplateTools) => {
    const usage = new Usage(tools);
    return {
      /** A template filled, with the names that lack a value. */
      api: { render: (asked: Asked) => renderTemplate(tools, asked) },
      rows: [
        operation(CreateTemplate, (input) => createTemplate(tools, input)),
        operation(ListTemplates, listTemplates),
        operation(GetTemplate, getTemplate),
        operation(UpdateTemplate, (input) => updateTemplate(tools, input)),
        operation(DeleteTemplate, (input) => deleteTemplate(tools, input).then(() => answer(204))),
        operation(PreviewTemplate, previewTemplate),
        operation(DuplicateTemplate, (input) => duplicateTemplate(tools, input)),
        internalOperation(RenderTemplate, (asked) => renderTemplate(tools, asked)),
      ],
      hears: [
        batchedReaction(MessageAccepted, (data, event) => usage.accepted(data, event)),
        reaction(ProfileDeleted, ({ profileId }, event) => deleteTemplatesOf(tools, profileId, event)),
      ],
      jobs: [releasingMedia(tools), forgetting(tools)],
      personalData: templatesHeld,
    };
  },
});
