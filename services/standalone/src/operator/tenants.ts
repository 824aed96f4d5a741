import pg from 'pg';
import { identity } from '@messaging-gateway/identity';
import { sessions } from '@messaging-gateway/sessions';
import { Usage, withDatabase, type Place, type Said, type Verb } from './verb.ts';

export const tenants: Verb = {
  summary: 'Lists organizations with their numbers of users and profiles, or shows one',
  usage: ['tenants list', 'tenants show <organization id>'],
  run: async ({ args: [act, id, ...rest] }) => {
    const isList = act === 'list' && id === undefined;
    if (rest.length > 0 || !(isList || (act === 'show' && id !== undefined)))
      throw new Usage('tenants needs list, or show and the id of an organization.');
    if (id !== undefined && !uuid.test(id)) throw new Usage(`${id} is no id of an organization.`);
    return withDatabase('beside', (place) => (id === undefined ? list(place) : show(place, id)));
  },
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly users: number;
  readonly profiles: number;
  readonly connected: number;
}

const [people, phones] = [identity.storage.schema, sessions.storage.schema];
const tenantRows = `
  SELECT o.id, o.name, o.created_at AS "createdAt",
         (SELECT count(*)::int FROM ${people}.members m WHERE m.organization_id = o.id) AS users,
         (SELECT count(*)::int FROM ${phones}.profiles p WHERE p.organization_id = o.id) AS profiles,
         (SELECT count(*)::int FROM ${phones}.profiles p WHERE p.organization_id = o.id AND p.status = 'connected') AS connected
    FROM ${people}.organizations o`;

async function list({ databaseUrl }: Place): Promise<Said> {
  const found = await query<Tenant>(databaseUrl, `${tenantRows} ORDER BY o.created_at, o.id`);
  const ends = found.length === 1 ? '1 organization.' : `${found.length} organizations.`;
  return { data: found, lines: [...found.map(lineOf), ends] };
}

const lineOf = ({ id, name, createdAt, users, profiles, connected }: Tenant): string =>
  [createdAt.toISOString(), id, `${users} users`, `${profiles} profiles, ${connected} connected`, name].join('  ');

interface ByStatus {
  readonly status: string;
  readonly count: number;
}

async function show({ databaseUrl }: Place, id: string): Promise<Said> {
  const [tenant] = await query<Tenant>(databaseUrl, `${tenantRows} WHERE o.id = $1`, [id]);
  if (tenant === undefined) throw new Error(`There is no organization ${id}.`);
  const statuses = await query<ByStatus>(
    databaseUrl,
    `SELECT status, count(*)::int AS count FROM ${phones}.profiles WHERE organization_id = $1 GROUP BY status ORDER BY status`,
    [id],
  );
  const byStatus = Object.fromEntries(statuses.map(({ status, count }) => [status, count]));
  return {
    data: { ...tenant, byStatus },
    lines: [lineOf(tenant), ...statuses.map(({ status, count }) => `  ${status}: ${count}`)],
  };
}

/** Asks a database once. */
async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'messaging-gateway tenants' });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
