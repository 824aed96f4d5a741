import { EraseOutboundData, ReadOutboundData } from '@messaging-gateway/contracts';
import { personalData, type InternalRow, type ServiceTools, type Whose } from '@messaging-gateway/service';
import type { OutboundSettings } from './config.ts';
import { batchStream } from './bulk/batch-stream.ts';
import type { Policies } from './lanes/policies.ts';
import type { Later } from './later/later.ts';
import { scheduleStream } from './schedule/schedule-stream.ts';

interface Parts {
  readonly policies: Policies;
  readonly later: Later;
}

/** Messages that wait lie in the journal alone: ids are all that its tables hold, and hashes of those who were sent codes. */
export function outboundData(tools: ServiceTools<OutboundSettings>, parts: Parts): InternalRow[] {
  const { store } = tools;
  return personalData(
    tools,
    { erase: EraseOutboundData, read: ReadOutboundData },
    {
      first: (whose) => closeLanes(tools, parts, whose),
      tables: ['secondary_codes'],
      sections: [
        {
          name: 'scheduledMessages',
          ofOrganization: true,
          sql: schedules,
          show: async (item) => {
            const { state } = await store.load(scheduleStream, String(item['id']));
            return state.status === 'none' ? item : { ...item, to: state.facts.to, content: state.facts.content };
          },
        },
        {
          name: 'batches',
          ofOrganization: true,
          sql: batches,
          show: async (item) => {
            const events = await store.read(batchStream, String(item['id']));
            return {
              ...item,
              messages: events.flatMap(({ data }) => (data as { messages?: unknown[] }).messages ?? []),
            };
          },
        },
      ],
    },
  );
}

/** What waits in them fails, and what was to be sent later is cancelled: nothing goes out any more. */
async function closeLanes(
  { sql }: ServiceTools<OutboundSettings>,
  { policies, later }: Parts,
  { organizationId, userId, wholeOrganization }: Whose,
): Promise<void> {
  if (!wholeOrganization) return;
  const open = await sql.query<{ profile_id: string }>(
    'SELECT profile_id FROM policies WHERE organization_id = $1 AND NOT closed',
    [organizationId],
  );
  for (const { profile_id: profileId } of open) {
    await policies.close(profileId, organizationId, userId);
    await later.closed(profileId, organizationId);
  }
}

const schedules = `
  SELECT schedule_id::text AS key, jsonb_build_object('id', schedule_id, 'profileId', profile_id, 'scheduledAt', due_at,
         'status', status, 'sentAt', sent_at) AS item
    FROM schedules WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND schedule_id::text > $3
   ORDER BY schedule_id::text LIMIT $4`;

const batches = `
  SELECT batch_id::text AS key, jsonb_build_object('id', batch_id, 'profileId', profile_id, 'status', status,
         'createdAt', created_at, 'completedAt', completed_at) AS item
    FROM batches WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND batch_id::text > $3
   ORDER BY batch_id::text LIMIT $4`;
