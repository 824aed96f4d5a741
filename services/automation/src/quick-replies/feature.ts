import {
  CreateQuickReply,
  DeleteQuickReply,
  ListQuickReplies,
  ProfileDeleted,
  UpdateQuickReply,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { answer, feature, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import { causedBy } from '../metadata.ts';
import { quickRepliesMigration } from './20261124020000-quick-replies.migration.ts';
import { createQuickReply, deleteQuickReply, listQuickReplies, updateQuickReply } from './keeping.ts';
import { quickRepliesView, QuickReplyEntity, quickReplyStream } from './quick-reply.ts';

/** Texts that clients offer to people who write. */
export const quickReplies = feature({
  name: 'quick replies',
  streams: [quickReplyStream],
  views: [quickRepliesView],
  migrations: [quickRepliesMigration],
  entities: [QuickReplyEntity],
  connect: (tools: ServiceTools<unknown>) => ({
    rows: [
      operation(CreateQuickReply, (input) => createQuickReply(tools, input)),
      operation(ListQuickReplies, listQuickReplies),
      operation(UpdateQuickReply, (input) => updateQuickReply(tools, input)),
      operation(DeleteQuickReply, (input) => deleteQuickReply(tools, input).then(() => answer(204))),
    ],
    hears: [
      reaction(ProfileDeleted, async ({ profileId }, event) => {
        const rows = await tools.sql.query<{ id: string }>(
          'SELECT id FROM quick_replies WHERE profile_id = $1 AND NOT deleted',
          [profileId],
        );
        const at = new Date(tools.clock.now()).toISOString();
        const metadata = causedBy(event);
        for (const { id } of rows)
          await tools.store
            .handle(quickReplyStream, id, { type: 'Delete', id, at }, { metadata })
            .catch((error: unknown) => {
              // Deleted by somebody meanwhile.
              if (!(error instanceof Refused)) throw error;
            });
      }),
    ],
    personalData: {
      tables: ['quick_replies'],
      sections: [{ name: 'quickReplies', ofOrganization: true, sql: exported }],
    },
  }),
});

const exported = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'shortcut', shortcut, 'title', title,
         'message', message, 'createdAt', created_at) AS item
    FROM quick_replies WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND NOT deleted AND id::text > $3
   ORDER BY id::text LIMIT $4`;
