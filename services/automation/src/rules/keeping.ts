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
import { assertProfileAllowed, type InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import { definitionOf, findAnswerer } from '../answerers/answerer-records.ts';
import { AnswererEntity, type AnswererRecord } from '../answerers/answerers-view.ts';
import type { Answerers } from '../answerers/handling.ts';
import type { RuleDefinition } from './rule-kind.ts';

export interface RuleParts {
  readonly answerers: Answerers;
}

const mostRules = 200;
const knownPlaceholder = /^(?:name|phone|match|message|metadata\..+)$/;

const inOrder: readonly EntityOrder<AnswererRecord>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

export async function createRule({ answerers }: RuleParts, input: InputOf<typeof CreateAutoReply>): Promise<object> {
  const { profileId, enabled = true, keywords, response } = input.body;
  const { matchMode = 'contains', privateOnly = true, cooldownSeconds = 60 } = input.body;
  assertKnownPlaceholders(response);
  const definition = { keywords, matchMode, response, privateOnly, cooldownSeconds };
  const document = { kind: 'rule', profileId, name: nameOf(keywords), enabled, priority: 0, definition } as const;
  return shown(await answerers.create(document, input, { most: mostRules }));
}

export async function listRules({ query, caller, context }: InputOf<typeof ListAutoReplies>): Promise<Page<object>> {
  const { profileId } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const profileIds = profileId === undefined ? caller.profileIds : [profileId];
  const where = {
    kind: 'rule' as const,
    deleted: false,
    ...(profileIds !== undefined && { profileId: { $in: [...profileIds] } }),
  };
  const em = context.em();
  const page = await entityPage(em, AnswererEntity, { where, order: inOrder, query });
  return { ...page, items: page.items.map(shown), total: await em.count(AnswererEntity, where) };
}

export const getRule = async ({ params, caller, context }: InputOf<typeof GetAutoReply>): Promise<object> =>
  shown(await findAnswerer(context.em(), 'rule', params.id, caller));

export async function updateRule({ answerers }: RuleParts, input: InputOf<typeof UpdateAutoReply>): Promise<object> {
  const { params, body, caller } = input;
  const { enabled, ...changes } = body;
  if (changes.response !== undefined) assertKnownPlaceholders(changes.response);
  const before = definitionOf(await findAnswerer(input.context.em(), 'rule', params.id, caller)) as RuleDefinition;
  const definition = { ...before, ...changes };
  const name = nameOf(definition.keywords);
  return shown(
    await answerers.change('rule', params.id, { name, definition, ...(enabled !== undefined && { enabled }) }, input),
  );
}

export async function toggleRule({ answerers }: RuleParts, input: InputOf<typeof ToggleAutoReply>): Promise<object> {
  const { params, caller } = input;
  const { enabled } = await findAnswerer(input.context.em(), 'rule', params.id, caller);
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

function shown(row: AnswererRecord): object {
  const { keywords, matchMode, response, privateOnly, cooldownSeconds } = definitionOf(row) as RuleDefinition;
  return {
    id: row.id,
    profileId: row.profileId ?? null,
    keywords,
    matchMode,
    response,
    enabled: row.enabled,
    privateOnly,
    cooldownSeconds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
