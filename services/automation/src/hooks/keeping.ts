import {
  aiHookConfigs,
  check,
  namedUuids,
  type AiHookCustom,
  type AiHookOpenAi,
  type ConfigureAiHook,
  type ConfigureWebhookReply,
  type Fault,
  type GetAiHook,
  type GetWebhookReply,
  type OwnTool,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { InputOf } from '@messaging-gateway/service';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import { isSecret } from '@messaging-gateway/webhook-signing';
import { definitionOf, requireProfile } from '../answerers/answerer-records.ts';
import type { AnswererKind, Definition } from '../answerers/answerer.ts';
import { AnswererEntity, type AnswererRecord } from '../answerers/answerers-view.ts';
import type { Answerers } from '../answerers/handling.ts';
import { sealSecret } from '../answerers/secrets.ts';
import { ownToolFaults } from '../own-tools/faults.ts';
import type { AiHookDefinition, WebhookReplyDefinition } from './kinds.ts';

export interface HookKeeping {
  readonly answerers: Answerers;
  readonly encryption: EncryptionKeys;
  readonly allowPrivate: boolean;
}

type Asked = InputOf<typeof ConfigureWebhookReply> | InputOf<typeof ConfigureAiHook>;

const idOf = namedUuids('64d4e0d7-52ab-5d0c-8f5b-09b0fb4d1f42');
/** A profile has one of each: its id follows from that. */
const hookIdOf = (kind: AnswererKind, organizationId: string, profileId: string): string =>
  idOf(`${kind} ${organizationId} ${profileId}`);

async function find(
  kind: AnswererKind,
  profileId: string,
  { caller, context }: Pick<Asked, 'caller' | 'context'>,
): Promise<AnswererRecord | undefined> {
  requireProfile(caller, profileId);
  const id = hookIdOf(kind, caller.organizationId, profileId);
  return (await context.em().findOne(AnswererEntity, { id, deleted: false })) ?? undefined;
}

const notConfigured = (): Refused => new Refused('NOT_FOUND', 'It is not configured for this profile.');

/** Makes it or changes it. */
async function keep(
  { answerers }: HookKeeping,
  kind: AnswererKind,
  before: AnswererRecord | undefined,
  { definition, enabled }: { readonly definition: Definition; readonly enabled: boolean },
  input: Asked,
): Promise<AnswererRecord> {
  const { profileId } = input.body;
  if (before !== undefined) return answerers.change(kind, before.id, { definition, enabled }, input);
  const id = hookIdOf(kind, input.caller.organizationId, profileId);
  const document = { kind, profileId, name: kind, enabled, priority: 0, definition };
  const made = await answerers.create(document, input, { most: 1, id });
  // Two at the same moment: the later one counts.
  return made.version === 1 && made.definition === JSON.stringify(definition)
    ? made
    : answerers.change(kind, made.id, { definition, enabled }, input);
}

const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

const secretFault = (secret: string | null | undefined, path: string): Fault[] =>
  secret === undefined || secret === null || isSecret(secret)
    ? []
    : [{ path, message: 'must hold base64 after whsec_' }];

async function urlFault(url: string | undefined, path: string, allowPrivate: boolean): Promise<Fault[]> {
  const message = url === undefined ? undefined : await resolvedTargetFault(url, { allowPrivate });
  return message === undefined ? [] : [{ path, message }];
}

export async function configureWebhookReply(
  parts: HookKeeping,
  input: InputOf<typeof ConfigureWebhookReply>,
): Promise<object> {
  const { profileId, url, secret, enabled } = input.body;
  const row = await find('webhook-reply', profileId, input);
  const before = row === undefined ? undefined : (definitionOf(row) as WebhookReplyDefinition);
  const faults = [
    ...(url === undefined && before === undefined ? [{ path: 'body.url', message: 'is required' }] : []),
    ...(await urlFault(url, 'body.url', parts.allowPrivate)),
    ...secretFault(secret, 'body.secret'),
  ];
  if (faults.length > 0) throw invalid(faults);
  const whole = url ?? before?.url ?? '';
  // What is hidden from whoever changes it must not go where they like.
  const kept = originOf(whole) === originOf(before?.url) ? before?.secret : undefined;
  const { organizationId } = input.caller;
  const sealed =
    secret === undefined ? kept : secret === null ? undefined : sealSecret(parts.encryption, organizationId, secret);
  const definition = { url: whole, ...(sealed !== undefined && { secret: sealed }) };
  return shownReply(
    await keep(parts, 'webhook-reply', row, { definition, enabled: enabled ?? row?.enabled ?? true }, input),
  );
}

export async function getWebhookReply(input: InputOf<typeof GetWebhookReply>): Promise<object> {
  const row = await find('webhook-reply', input.params.profileId, input);
  if (row === undefined) throw notConfigured();
  return shownReply(row);
}

const timesOf = ({ createdAt, updatedAt }: AnswererRecord): object => ({
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

function shownReply(row: AnswererRecord): object {
  const { url, secret } = definitionOf(row) as WebhookReplyDefinition;
  const { id, profileId, enabled } = row;
  return { id, profileId, url, enabled, hasSecret: secret !== undefined, ...timesOf(row) };
}

export async function configureAiHook(parts: HookKeeping, input: InputOf<typeof ConfigureAiHook>): Promise<object> {
  const { profileId, provider, config = {}, enabled } = input.body;
  const row = await find('ai-hook', profileId, input);
  const before = row === undefined ? undefined : (definitionOf(row) as AiHookDefinition);
  const given = structuredClone(config) as AiHookOpenAi & AiHookCustom;
  const faults = check(aiHookConfigs[provider], given, 'body.config');
  if (faults.length > 0) throw invalid(faults);
  const url = provider === 'openai' ? given.baseUrl : given.url;
  const where = `body.config.${provider === 'openai' ? 'baseUrl' : 'url'}`;
  const unsafe = [
    ...(await urlFault(url, where, parts.allowPrivate)),
    ...secretFault(given.secret, 'body.config.secret'),
    ...(await ownToolFaults(given.ownTools ?? [], 'body.config.ownTools', parts)),
  ];
  if (unsafe.length > 0) throw invalid(unsafe);
  const sealed = sealedOf(parts, given, keptOf(before, provider, { url, ownTools: given.ownTools }), input);
  if ((given.ownTools ?? []).length > 0 && sealed['secret'] === undefined)
    throw invalid([{ path: 'body.config.secret', message: 'is needed: it signs what ownTools send' }]);
  const { apiKey: _, secret: __, headers: ___, ...plain } = given;
  const definition = { provider, ...plain, ...sealed };
  return shownHook(await keep(parts, 'ai-hook', row, { definition, enabled: enabled ?? row?.enabled ?? true }, input));
}

/** Secrets of the configuration before, as long as they go to the same host. */
function keptOf(
  before: AiHookDefinition | undefined,
  provider: AiHookDefinition['provider'],
  { url, ownTools = [] }: { readonly url: string | undefined; readonly ownTools?: readonly OwnTool[] | undefined },
): Readonly<Record<string, string>> {
  if (before?.provider !== provider) return {};
  const isSameHost = originOf(before.provider === 'openai' ? before.baseUrl : before.url) === originOf(url);
  const secrets =
    before.provider === 'openai'
      ? {
          ...(isSameHost && { apiKey: before.apiKey }),
          ...(asksNobodyElse(ownTools, before.ownTools) && { secret: before.secret }),
        }
      : { ...(isSameHost && { secret: before.secret, headers: before.headers }) };
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

const asksNobodyElse = (tools: readonly OwnTool[], before: readonly OwnTool[] = []): boolean => {
  const former = new Set(before.map(({ url }) => originOf(url)));
  return tools.every(({ url }) => former.has(originOf(url)));
};

function sealedOf(
  { encryption }: HookKeeping,
  { apiKey, secret, headers }: AiHookOpenAi & AiHookCustom,
  kept: Readonly<Record<string, string>>,
  { caller }: Asked,
): Readonly<Record<string, string>> {
  const given = { apiKey, secret, headers: headers ? JSON.stringify(headers) : headers };
  const sealed = Object.entries(given).flatMap(([name, text]) => {
    const held =
      text === undefined ? kept[name] : text === null ? undefined : sealSecret(encryption, caller.organizationId, text);
    return held === undefined ? [] : [[name, held] as const];
  });
  return Object.fromEntries(sealed);
}

export async function getAiHook(input: InputOf<typeof GetAiHook>): Promise<object> {
  const row = await find('ai-hook', input.params.profileId, input);
  if (row === undefined) throw notConfigured();
  return shownHook(row);
}

function shownHook(row: AnswererRecord): object {
  const { provider, ...definition } = definitionOf(row) as AiHookDefinition;
  const { apiKey, secret, headers, ...config } = definition as Readonly<Record<string, unknown>>;
  const hidden =
    provider === 'openai'
      ? { hasApiKey: apiKey !== undefined, hasSecret: secret !== undefined }
      : { hasSecret: secret !== undefined, hasHeaders: headers !== undefined };
  const { id, profileId, enabled } = row;
  return { id, profileId, provider, config: { ...config, ...hidden }, enabled, ...timesOf(row) };
}
