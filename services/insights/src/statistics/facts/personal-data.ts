import type { PersonalData, ServiceTools } from '@messaging-gateway/service';
import { inTurn } from './turns.ts';

const together = 5000;

/** Ids and times of messages: nothing of what they say. They go with their organization, and what is told of it later is left out. */
export const factsHeld = ({ sql, clock }: Pick<ServiceTools<unknown>, 'sql' | 'clock'>): Partial<PersonalData> => ({
  first: async ({ organizationId, wholeOrganization }) => {
    if (!wholeOrganization) return;
    await sql.transaction(async (inside) => {
      // What is on its way is written before this, or not at all.
      await inTurn(inside, [organizationId]);
      await inside.query('INSERT INTO statistics_erased (organization_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        organizationId,
        new Date(clock.now()),
      ]);
    });
    for (let more = true; more;) {
      const gone = await sql.query(
        `DELETE FROM message_facts WHERE organization_id = $1 AND place IN (
           SELECT place FROM message_facts WHERE organization_id = $1 LIMIT ${together}) RETURNING 1`,
        [organizationId],
      );
      more = gone.length > 0;
    }
  },
  tables: [
    'fact_places',
    'progress_ahead',
    'message_quarters',
    'message_days',
    'message_flow',
    'chat_days',
    'chats',
    'answers',
    'chat_aliases',
  ],
});
