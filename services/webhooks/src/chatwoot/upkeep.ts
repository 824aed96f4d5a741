import type { Clock } from '@messaging-gateway/runtime';
import { every, type Job, type Sql } from '@messaging-gateway/service';

const dayMs = 86_400_000;
/** Chatwoot's messages are remembered so many days longer: somebody may quote them. */
const quotedDays = 30;

/** Takes away what nobody waits for any more. @param days that it is kept */
export const forgettingMessages = (sql: Sql, clock: Clock, days: number): Job =>
  every('1h', 'messages of bridges', async () => {
    const before = new Date(clock.now() - days * dayMs);
    const long = new Date(before.getTime() - quotedDays * dayMs);
    await sql.query('DELETE FROM chatwoot_messages WHERE created_at < $1', [long]);
    await sql.query('DELETE FROM chatwoot_outbox WHERE created_at < $1', [before]);
    await sql.query('DELETE FROM chatwoot_answers WHERE created_at < $1 AND sealed IS NULL', [before]);
  });
