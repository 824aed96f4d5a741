import type { DataOf, EventEnvelope, MessageAccepted } from '@messaging-gateway/contracts';
import { jsonText } from '@messaging-gateway/event-sourcing';
import { every, Batcher, type Job, type Sql } from '@messaging-gateway/service';
import type { TemplateTools } from './tools.ts';

/** Messages in one statement, at most. */
const batchLimit = 500;
/** Pause between counts, for which nobody waits, milliseconds. */
const restMs = 50;
const dayMs = 86_400_000;
const forgottenTogether = 5000;

interface Use {
  readonly message_id: string;
  readonly template_id: string;
  readonly organization_id: string;
}

/** In the order of their keys, so that two replicas never wait for each other. A message that is there was counted. */
const count = `
  WITH given AS (
    SELECT DISTINCT ON (g.message_id) g.message_id, g.template_id, g.organization_id
      FROM jsonb_to_recordset($1::jsonb) AS g(message_id uuid, template_id uuid, organization_id uuid)
      JOIN templates t ON t.id = g.template_id AND t.organization_id = g.organization_id
     ORDER BY g.message_id),
  fresh AS (
    INSERT INTO template_uses (message_id, organization_id, at) SELECT message_id, organization_id, $2 FROM given
    ON CONFLICT (message_id) DO NOTHING RETURNING message_id)
  INSERT INTO template_usage AS u (template_id, organization_id, uses)
  SELECT template_id, organization_id, count(*) FROM given JOIN fresh USING (message_id)
   GROUP BY template_id, organization_id ORDER BY template_id
  ON CONFLICT (template_id) DO UPDATE SET uses = u.uses + excluded.uses`;

/** Counts messages that were accepted with a template: each once, however often it is told. */
export class Usage {
  readonly #batcher: Batcher<Use, void>;

  constructor({ sql, clock }: Pick<TemplateTools, 'sql' | 'clock'>) {
    this.#batcher = new Batcher<Use, void>(
      async (uses) => {
        await sql.query(count, [jsonText(uses), new Date(clock.now())]);
        return uses.map(() => undefined);
      },
      batchLimit,
      restMs,
    );
  }

  /** Resolves once it is counted. */
  async accepted(
    { messageId, templateId }: DataOf<typeof MessageAccepted>,
    { organizationId }: Pick<EventEnvelope, 'organizationId'>,
  ): Promise<void> {
    if (templateId === undefined) return;
    await this.#batcher.add({ message_id: messageId, template_id: templateId, organization_id: organizationId });
  }
}

/** Forgets which messages were counted, when nobody can tell of them again: facts are kept no longer than events. */
export const forgetting = ({ sql, clock, settings }: TemplateTools): Job =>
  every(
    '1h',
    'counted messages of templates',
    (signal) => forget(sql, settings.eventRetentionDays, clock.now(), signal),
    {
      alone: true,
    },
  );

async function forget(sql: Sql, days: number, now: number, signal: AbortSignal): Promise<void> {
  const before = new Date(now - (days + 1) * dayMs);
  for (let more = true; more && !signal.aborted;) {
    const gone = await sql.query(
      `DELETE FROM template_uses WHERE message_id = ANY (ARRAY(
         SELECT message_id FROM template_uses WHERE at < $1 ORDER BY at LIMIT ${forgottenTogether})) RETURNING 1`,
      [before],
    );
    more = gone.length === forgottenTogether;
  }
}
