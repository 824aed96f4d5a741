import { sessions, wantDisconnected } from '@messaging-gateway/sessions';
import { withJournal, type Journal } from './service-journal.ts';
import { Usage, withDatabase, type Said, type Verb } from './verb.ts';

export const profiles: Verb = {
  summary:
    'Lists profiles with their status, without names and numbers; disconnect: takes one off the network, its link stays',
  usage: ['profiles list [--organization <id>]', 'profiles disconnect <profile id>'],
  options: { organization: { type: 'string' } },
  run: async ({ args: [act, id, ...rest], flags }) => {
    const isList = act === 'list' && id === undefined;
    if (rest.length > 0 || !(isList || (act === 'disconnect' && id !== undefined)))
      throw new Usage('profiles needs list, or disconnect and the id of a profile.');
    const { organization } = flags;
    for (const given of [id, organization])
      if (given !== undefined && !uuid.test(String(given))) throw new Usage(`${given} is no id.`);
    return withDatabase('beside', (place) =>
      withJournal(sessions, place, (journal) =>
        id === undefined ? list(journal, organization as string | undefined) : disconnect(journal, id),
      ),
    );
  },
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Row {
  readonly id: string;
  readonly organizationId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly since: Date;
  readonly wanted: boolean;
}

const rows = `SELECT id, organization_id AS "organizationId", status, status_reason AS reason, since, is_wanted AS wanted FROM profiles`;

async function list({ sql }: Pick<Journal, 'sql'>, organization: string | undefined): Promise<Said> {
  const found = await sql.query<Row>(
    `${rows} WHERE $1::uuid IS NULL OR organization_id = $1 ORDER BY organization_id, created_at, id`,
    [organization],
  );
  const lines = found.map(({ id, organizationId, status, reason, since }) =>
    [id, organizationId, since.toISOString(), status, ...(reason === null ? [] : [reason])].join('  '),
  );
  return { data: found, lines: [...lines, found.length === 1 ? '1 profile.' : `${found.length} profiles.`] };
}

async function disconnect({ sql, store }: Pick<Journal, 'sql' | 'store'>, id: string): Promise<Said> {
  const [found] = await sql.query<Row>(`${rows} WHERE id = $1`, [id]);
  if (found === undefined) throw new Error(`There is no profile ${id}.`);
  if (!found.wanted) return { data: { id, changed: false }, lines: ['The profile is not to be connected already.'] };
  await wantDisconnected(store, found, new Date().toISOString());
  return {
    data: { id, changed: true },
    lines: [
      'The profile is not to be connected any more: a running gateway lets go of it within three minutes. Its link stays.',
    ],
  };
}
