import type { AuditRecorded, DataOf, EventEnvelope } from '@messaging-gateway/contracts';
import { jsonText } from '@messaging-gateway/event-sourcing';
import { Batcher, type Sql } from '@messaging-gateway/service';
import { timeOfEntry } from './entry-id.ts';

/** Entries in one statement, at most. */
const batchLimit = 500;
/** Pause between writes, milliseconds: nobody but a reader of the audit waits for an entry. */
const restMs = 100;

/** An entry as an event tells of it. */
type Told = Pick<EventEnvelope<DataOf<typeof AuditRecorded>>, 'organizationId' | 'profileId' | 'requestId' | 'data'>;

/**
 * In the order of their keys, so that two replicas never wait for each other. Further events of a request, and events
 * that come again, have the id of an entry that is there.
 */
const insert = `
  INSERT INTO audit_entries (organization_id, id, at, action, actor_type, actor_id, user_id, resource_type, resource_id,
                             profile_id, more, ip, user_agent, request_id)
  SELECT g.organization_id, g.id, g.at, g.action, g.actor_type, g.actor_id, g.user_id, g.resource_type, g.resource_id,
         g.profile_id, g.more,
         CASE WHEN e.user_id IS NULL THEN g.ip END, CASE WHEN e.user_id IS NULL THEN g.user_agent END, g.request_id
    FROM jsonb_to_recordset($1::jsonb)
      AS g(organization_id uuid, id uuid, at timestamptz, action text, actor_type text, actor_id text, user_id uuid,
           resource_type text, resource_id text, profile_id uuid, more jsonb, ip text, user_agent text, request_id text)
    LEFT JOIN audit_erased e ON e.user_id = g.user_id
   ORDER BY g.organization_id, g.id
  ON CONFLICT (organization_id, id) DO NOTHING`;

/** Takes in what was done: an entry for each request. Resolves once that is committed. */
export class AuditIntake {
  readonly #batcher: Batcher<Told, void>;

  constructor(sql: Sql) {
    this.#batcher = new Batcher<Told, void>(
      async (told) => {
        await sql.query(insert, [jsonText(told.map(rowOf))]);
        return told.map(() => undefined);
      },
      batchLimit,
      restMs,
    );
  }

  take(told: Told): Promise<void> {
    return this.#batcher.add(told);
  }
}

function rowOf({ organizationId, profileId, requestId, data }: Told): object {
  const { id, action, actor, userId, resource, more, ip, userAgent } = data;
  return {
    organization_id: organizationId,
    id,
    at: new Date(timeOfEntry(id)),
    action,
    actor_type: actor.type,
    actor_id: actor.id,
    user_id: userId,
    resource_type: resource?.type,
    resource_id: resource?.id,
    profile_id: profileId,
    more: more ?? {},
    ip,
    user_agent: userAgent,
    request_id: requestId,
  };
}
