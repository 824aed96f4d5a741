import type { EventEnvelope } from '@messaging-gateway/contracts';
import { jsonText } from '@messaging-gateway/event-sourcing';
import { Batcher, type Sql } from '@messaging-gateway/service';
import type { Draft } from './draft.ts';

/** Facts in one statement, at most. */
const batchLimit = 500;
/** Telling costs a dozen statements, however much there is to tell: what happens meanwhile is told with it. */
const restMs = 250;

interface News {
  /** Of the fact: one that comes again has the same. */
  readonly id: string;
  readonly organizationId: string;
  readonly sequence: string;
  /** ISO 8601. */
  readonly at: string;
  readonly draft: Draft;
}

/**
 * News of organizations that nobody has in hand are due at once. Messages are not remembered one by one, but by the last of their
 * chat, by whoever tells them (`desk.ts`).
 */
const insert = `
  WITH given AS (
    SELECT organization_id, id, sequence, at, draft
      FROM jsonb_to_recordset($1::jsonb) AS g(organization_id uuid, id uuid, sequence text, at timestamptz, draft jsonb)
  ), heard AS (
    INSERT INTO notification_facts (id, at) SELECT id, $2 FROM given WHERE NOT draft ? 'conversationId' ORDER BY id
    ON CONFLICT (id) DO NOTHING RETURNING id
  ), taken AS (
    INSERT INTO notification_news (organization_id, id, sequence, at, draft)
    SELECT organization_id, id, sequence, at, draft FROM given
     WHERE draft ? 'conversationId' OR id IN (SELECT heard.id FROM heard)
     ORDER BY organization_id, id
    ON CONFLICT (organization_id, id) DO NOTHING RETURNING organization_id
  )
  INSERT INTO notification_desks AS desk (organization_id, due)
  SELECT DISTINCT organization_id, $2::timestamptz FROM taken ORDER BY organization_id
  ON CONFLICT (organization_id) DO UPDATE SET due = excluded.due WHERE desk.due IS NULL`;

/** Takes in what has happened, so that it is told. Resolves once that is certain. */
export class Intake {
  readonly #batcher: Batcher<News, void>;

  /** @param onTaken there is something to tell */
  constructor(sql: Sql, now: () => number, onTaken: () => void) {
    this.#batcher = new Batcher<News, void>(
      async (news) => {
        await sql.query(insert, [jsonText(news.map(rowOf)), new Date(now())]);
        onTaken();
        return news.map(() => undefined);
      },
      batchLimit,
      restMs,
    );
  }

  /** @param id of the fact, where it is not that of the event */
  async take(
    { id, organizationId, sequence, time }: Pick<EventEnvelope, 'id' | 'organizationId' | 'sequence' | 'time'>,
    draft: Draft | undefined,
    factId = id,
  ): Promise<void> {
    if (draft !== undefined) await this.#batcher.add({ id: factId, organizationId, sequence, at: time, draft });
  }
}

const rowOf = ({ id, organizationId, sequence, at, draft }: News): object => ({
  organization_id: organizationId,
  id,
  sequence,
  at,
  draft,
});
