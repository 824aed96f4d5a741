import type { Sql } from '@messaging-gateway/service';

interface Listed {
  readonly place: number;
  /** Null: deleted meanwhile. */
  readonly jid: string | null;
  readonly lid: string | null;
  readonly status: 'pending' | 'skipped';
  readonly error: object | null;
}

/** How many were taken out, and of them those who were left out already. */
interface TakenOut {
  readonly total: number;
  readonly skipped: number;
}

/**
 * Takes out those of a new audience who are there twice: pages of the contacts do not know of each other, and a person may go on
 * under another contact between two of them, by phone on one and by LID on the other. The first place stays; it is left out when
 * any of them is.
 */
export async function takeOutDoubles(sql: Sql, audienceId: string): Promise<TakenOut> {
  const listed = await sql.query<Listed>(
    `WITH names AS (
       SELECT a.place, a.jid AS name FROM audience a WHERE a.audience_id = $1 AND a.jid IS NOT NULL
       UNION SELECT a.place, a.lid FROM audience a WHERE a.audience_id = $1 AND a.lid IS NOT NULL),
     double AS (SELECT DISTINCT unnest(array_agg(place)) AS place FROM names GROUP BY name HAVING count(*) > 1)
     SELECT a.place, a.jid, a.lid, a.status, a.error FROM audience a JOIN double ON double.place = a.place
      WHERE a.audience_id = $1 ORDER BY a.place`,
    [audienceId],
  );
  let [total, skipped] = [0, 0];
  for (const [first, ...others] of peopleIn(listed)) {
    if (first === undefined) continue;
    const places = others.map(({ place }) => place);
    const leftOut = [first, ...others].find(({ status }) => status === 'skipped');
    const error = leftOut?.error ?? null;
    const lid = [first, ...others].find((one) => one.lid !== null)?.lid ?? null;
    await sql.query('DELETE FROM audience WHERE audience_id = $1 AND place = ANY ($2)', [audienceId, places]);
    await sql.query('UPDATE audience SET lid = $3, status = $4, error = $5 WHERE audience_id = $1 AND place = $2', [
      audienceId,
      first.place,
      lid,
      leftOut?.status ?? first.status,
      error === null ? null : JSON.stringify(error),
    ]);
    total += others.length;
    skipped += others.filter(({ status }) => status === 'skipped').length;
    if (leftOut !== undefined && first.status !== 'skipped') skipped -= 1;
  }
  return { total, skipped };
}

const namesOf = ({ jid, lid }: Listed): string[] => [jid, lid].filter((name) => name !== null);

/** Places of each person, the first one first: whoever shares a name is one. */
function peopleIn(listed: readonly Listed[]): readonly (readonly Listed[])[] {
  const byName = new Map<string, Listed[]>();
  for (const one of listed) {
    const known = new Set(namesOf(one).flatMap((name) => byName.get(name) ?? []));
    const person = [...known, one];
    for (const name of person.flatMap(namesOf)) byName.set(name, person);
  }
  return [...new Set(byName.values())].map((person) => person.toSorted((one, other) => one.place - other.place));
}
