import {
  DescribeProfile,
  type CreateQuickReply,
  type DeleteQuickReply,
  type ListQuickReplies,
  type Page,
} from '@messaging-gateway/contracts';
import { quotaReached, Refused } from '@messaging-gateway/messaging';
import {
  allOf,
  assertProfileAllowed,
  readPage,
  whereGiven,
  type InputOf,
  type ServiceTools,
  type SortKey,
} from '@messaging-gateway/service';
import { requireProfile } from '../answerers/answerer-records.ts';
import { askedBy } from '../metadata.ts';
import { quickReplyIdOf, quickReplyStream } from './quick-reply.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'sql' | 'store'>;

interface Row {
  readonly id: string;
  readonly profile_id: string | null;
  readonly shortcut: string;
  readonly title: string;
  readonly message: string;
  readonly created_at: Date;
}

/** Of an organization, at most. Requests at the same moment may exceed it by a few. */
const most = 5000;
const select = 'SELECT id, profile_id, shortcut, title, message, created_at FROM quick_replies';
const byShortcut: readonly SortKey<Row>[] = [
  { column: 'shortcut', kind: 'text', of: (row) => row.shortcut },
  { column: 'id', kind: 'id', of: (row) => row.id },
];

export async function createQuickReply(tools: Tools, input: InputOf<typeof CreateQuickReply>): Promise<object> {
  const { ask, clock, sql, store } = tools;
  const { body, caller, context } = input;
  const { profileId = null, shortcut, title, message } = body;
  const { organizationId } = caller;
  requireProfile(caller, profileId);
  if (profileId !== null) await ask(DescribeProfile, { organizationId, profileId });
  const id = quickReplyIdOf(organizationId, profileId, shortcut);
  const [counted] = await sql.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM quick_replies WHERE organization_id = $1 AND NOT deleted AND id <> $2',
    [organizationId, id],
  );
  if ((counted?.total ?? 0) >= most) throw quotaReached('quick replies', most);
  const fields = { id, profileId, shortcut, title, message };
  const at = new Date(clock.now()).toISOString();
  await store.handle(
    quickReplyStream,
    id,
    { type: 'Create', fields, requestId: context.resourceId, at },
    { metadata: askedBy(input), onAppended: context.appended },
  );
  const [row] = await sql.query<Row>(`${select} WHERE id = $1 AND NOT deleted`, [id]);
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such quick reply.');
  return shown(row);
}

export async function listQuickReplies(
  { sql }: Tools,
  { query, caller }: InputOf<typeof ListQuickReplies>,
): Promise<Page<object>> {
  const { profileId } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const where = allOf([
    ['organization_id = $1', caller.organizationId],
    ['NOT deleted'],
    whereGiven('(profile_id IS NULL OR profile_id = $1)', profileId),
    whereGiven('(profile_id IS NULL OR profile_id = ANY ($1::uuid[]))', caller.profileIds),
  ]);
  const [page, [counted]] = await Promise.all([
    readPage(sql, { select, where, order: byShortcut, query }),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM quick_replies WHERE ${where.text}`, where.values),
  ]);
  return { ...page, items: page.items.map(shown), total: counted?.total ?? 0 };
}

export async function deleteQuickReply(tools: Tools, input: InputOf<typeof DeleteQuickReply>): Promise<void> {
  const { clock, sql, store } = tools;
  const { params, caller, context } = input;
  const [row] = await sql.query<Row>(`${select} WHERE id = $1 AND organization_id = $2 AND NOT deleted`, [
    params.id,
    caller.organizationId,
  ]);
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such quick reply.');
  requireProfile(caller, row.profile_id);
  await store.handle(
    quickReplyStream,
    row.id,
    { type: 'Delete', id: row.id, at: new Date(clock.now()).toISOString() },
    { metadata: askedBy(input), onAppended: context.appended },
  );
}

const shown = ({ id, profile_id: profileId, shortcut, title, message, created_at }: Row): object => ({
  id,
  profileId,
  shortcut,
  title,
  message,
  createdAt: created_at.toISOString(),
});
