import type { AppendGuard } from '@messaging-gateway/event-sourcing';

/** A request to answer a message. */
export interface StartRequest {
  readonly runId: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly answererId: string;
  /** As which it was looked at: another one counts no more. */
  readonly version: number;
  readonly cooldownSeconds: number;
  /** ISO 8601 */
  readonly at: string;
}

/**
 * Lets an answerer begin when it still is as it was looked at, when it is not too soon after its last answer in this chat, and when
 * the chat is not muted. The cooldown is claimed under the run's id: a claim that is not followed by its run counts for that run
 * alone, and of two replicas one is let through.
 */
export const startGuard: AppendGuard = {
  name: 'start',
  before: [
    [
      'start_asked',
      `SELECT asked.command, given."runId", given."organizationId", given."profileId", given."conversationId", given."answererId",
              given.version, given."cooldownSeconds", given.at
         FROM {requests} asked
        CROSS JOIN LATERAL jsonb_to_record(asked.request) given(
               "runId" uuid, "organizationId" uuid, "profileId" uuid, "conversationId" uuid, "answererId" uuid, version int,
               "cooldownSeconds" int, at timestamptz)`,
    ],
    [
      'start_open',
      `SELECT asked.command, asked."runId", asked."organizationId", asked."profileId", asked."conversationId", asked."answererId",
              asked."cooldownSeconds", asked.at
         FROM start_asked asked
         JOIN {schema}.answerers known ON known.id = asked."answererId" AND known.version = asked.version AND known.enabled
         LEFT JOIN {schema}.chat_pace pace ON pace.conversation_id = asked."conversationId"
        WHERE pace.muted_until IS NULL OR pace.muted_until <= asked.at`,
    ],
    [
      'start_paced',
      `INSERT INTO {schema}.chat_pace (conversation_id, organization_id, profile_id, used_at)
       SELECT DISTINCT ON ("conversationId") "conversationId", "organizationId", "profileId", at FROM start_open
        ORDER BY "conversationId", at ON CONFLICT (conversation_id) DO NOTHING RETURNING conversation_id`,
    ],
    [
      'start_cooled',
      `INSERT INTO {schema}.cooldowns AS held (answerer_id, conversation_id, organization_id, run_id, until)
       SELECT DISTINCT ON ("answererId", "conversationId") "answererId", "conversationId", "organizationId", "runId",
              at + make_interval(secs => "cooldownSeconds")
         FROM start_open WHERE "cooldownSeconds" > 0 ORDER BY "answererId", "conversationId", command
       ON CONFLICT (answerer_id, conversation_id) DO UPDATE SET run_id = excluded.run_id, until = excluded.until
        WHERE held.run_id = excluded.run_id OR held.until <= (
          SELECT given.at FROM start_open given WHERE given."runId" = excluded.run_id LIMIT 1)
       RETURNING run_id`,
    ],
  ],
  sql: `SELECT command FROM start_open WHERE "cooldownSeconds" = 0 OR "runId" IN (SELECT run_id FROM start_cooled)`,
};
