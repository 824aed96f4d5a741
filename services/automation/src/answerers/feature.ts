import { ProfileDeleted } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { feature, reaction, type ServiceTools } from '@messaging-gateway/service';
import { causedBy } from '../metadata.ts';
import { answererStream } from './answerer.ts';
import { answerersMigration } from './20261124000000-answerers.migration.ts';
import { AnswererEntity, answerersView } from './answerers-view.ts';
import { answerersOn } from './handling.ts';

/** Answerers of whatever kind: kept in one way, and asked in one order. */
export const answerers = feature({
  name: 'answerers',
  streams: [answererStream],
  views: [answerersView],
  migrations: [answerersMigration],
  entities: [AnswererEntity],
  connect: (tools: ServiceTools<unknown>) => ({
    api: answerersOn(tools),
    hears: [
      reaction(ProfileDeleted, async ({ profileId }, event) => {
        const { clock, sql, store } = tools;
        const rows = await sql.query<{ id: string }>('SELECT id FROM answerers WHERE profile_id = $1 AND NOT deleted', [
          profileId,
        ]);
        const at = new Date(clock.now()).toISOString();
        for (const { id } of rows) {
          const command = { type: 'Delete', answererId: id, at } as const;
          await store.handle(answererStream, id, command, { metadata: causedBy(event) }).catch((error: unknown) => {
            // Deleted by somebody meanwhile.
            if (!(error instanceof Refused)) throw error;
          });
        }
      }),
    ],
    personalData: { tables: ['answerers'] },
  }),
});
