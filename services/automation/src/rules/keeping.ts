import type {
  CreateAutoReply,
  DeleteAutoReply,
  GetAutoReply,
  ListAutoReplies,
  Page,
  ToggleAutoReply,
  UpdateAutoReply,
} from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import { placeholdersOf } from '@messaging-gateway/placeholders';
import {
  allOf,
  assertProfileAllowed,
  readPage,
  whereGiven,
  type InputOf,
  type SortKey,
  type Sql,
} from '@messaging-gateway/service';
import { definitionOf, findAnswerer, selectAnswerers, type AnswererRow } from '../answerers/answerer-records.ts';
import type { Answerers } from '../answerers/handling.ts';
import type { RuleDefinition } from './rule-kind.ts';

export interface RuleParts {
  readonly sql: Sql;
  readonly answerers: Answerers;
}

const mostRules = 200;
const knownPlaceholder = /^(?:name|phone|match|message|metadata\..+)$/;

const inOrder: readonly SortKey<AnswererRow>[] = [
  { column: 'created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 'id', kind: 'id', of: (row) => row.id },
];

export async function createRule({ answerers }: RuleParts, input: InputOf<typeof CreateAutoReply>): Promise<object> {
  const { profileId, enabled = true, keywords, response } = input.body;
  const { matchMode = 'contains', privateOnly = true, cooldownSeconds = 60 } = input.body;
  assertKnownPlaceholders(response);
  const definition = { keywords, matchMode, response, privateOnly, cooldownSeconds };
  const document = { kind: 'rule', profileId, name: nameOf(keywords), enabled, priority: 0, definition } as const;
  return shown(await answerers.create(document, input, { most: mostRules }));
}

export async function listRules(
  { sql }: RuleParts,
  { query, caller }: InputOf<typeof ListAutoReplies>,
): Promise<Page<object>> {
  const { profileId } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const where = allOf([
    ['organization_id = $1', caller.organizationId],
    ["kind = 'rule' AND NOT deleted"],
    whereGiven('profile_id = $1', profileId),
    whereGiven('profile_id = ANY ($1::uuid[])', caller.profileIds),
  ]);
  const [page, [counted]] = await Promise.all([
    readPage(sql, { select: selectAnswerers, where, order: inOrder, query }),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM answerers WHERE ${where.text}`, where.values),
  ]);
  return { ...page, items: page.items.map(shown), total: counted?.total ?? 0 };
}

export const getRule = async ({ sql }: RuleParts, { params, caller }: InputOf<typeof GetAutoReply>): Promise<object> =>
  shown(await findAnswerer(sql, 'rule', params.id, caller));

export async function updateRule(
  { sql, answerers }: RuleParts,
  input: InputOf<typeof UpdateAutoReply>,
): Promise<object> {
  const { params, body, caller } = input;
  const { enabled, ...changes } = body;
  if (changes.response !== undefined) assertKnownPlaceholders(changes.response);
  const before = definitionOf(await findAnswerer(sql, 'rule', params.id, caller)) as RuleDefinition;
  const definition = { ...before, ...changes };
  const name = nameOf(definition.keywords);
  return shown(
    await answerers.change('rule', params.id, { name, definition, ...(enabled !== undefined && { enabled }) }, input),
  );
}

export async function toggleRule(
  { sql, answerers }: RuleParts,
  input: InputOf<typeof ToggleAutoReply>,
): Promise<object> {
  const { params, caller } = input;
  const { enabled } = await findAnswerer(sql, 'rule', params.id, caller);
  return shown(await answerers.change('rule', params.id, { enabled: !enabled }, input));
}

export const deleteRule = ({ answerers }: RuleParts, input: InputOf<typeof DeleteAutoReply>): Promise<void> =>
  answerers.remove('rule', input.params.id, input);

/** A rule has no name of its own. */
const nameOf = (keywords: readonly string[]): string => keywords.join(', ').slice(0, 200);

function assertKnownPlaceholders(response: string): void {
  const stranger = placeholdersOf(response).find(({ name }) => !knownPlaceholder.test(name));
  if (stranger === undefined) return;
  throw invalid([{ path: 'body.response', message: `has the placeholder {{${stranger.name}}}, which nothing fills` }]);
}

function shown(row: AnswererRow): object {
  const { keywords, matchMode, response, privateOnly, cooldownSeconds } = definitionOf(row) as RuleDefinition;
  return {
    id: row.id,
    profileId: row.profile_id,
    keywords,
    matchMode,
    response,
    enabled: row.enabled,
    privateOnly,
    cooldownSeconds,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
