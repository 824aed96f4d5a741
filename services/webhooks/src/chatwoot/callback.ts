import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TakeChatwootEvent } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { InputOf, Sql } from '@messaging-gateway/service';
import type { AgentAnswer } from './agent-answer.ts';
import type { Answers } from './answers.ts';
import type { Bridge, Bridges } from './bridges.ts';

export interface CallbackParts {
  readonly bridges: Bridges;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly sql: Sql;
}

type Fields = Readonly<Record<string, unknown>>;

/** A signature that is older is refused, milliseconds. */
const signatureMs = 300_000;
const mostAttachments = 15;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Takes in what Chatwoot tells: answers of agents are kept, all else is understood and dropped. */
export async function takeEvent(parts: CallbackParts, input: InputOf<typeof TakeChatwootEvent>): Promise<object> {
  const { id } = input.params;
  const { bridges, clock } = parts;
  const { token } = input.query;
  const first = await bridges.of(id);
  const bridge = isTokenOf(first, token) ? first : await bridges.refresh(id);
  if (!isTokenOf(bridge, token)) throw unauthorized();
  if (!isSigned(bridge, input.body, clock.now())) throw unauthorized();
  const answer = answerIn(bridge, input.body.text);
  if (answer === undefined) return {};
  if (await isOurs(parts, id, answer)) return {};
  const { conversation, message, said } = answer;
  await parts.answers.take(id, conversation, message, said);
  return {};
}

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether it is an echo of what we have posted, or are posting: Chatwoot tells of it before it answers us. */
async function isOurs(
  { sql }: CallbackParts,
  organizationId: string,
  { conversation, sourceId = '' }: Pick<Found, 'conversation' | 'sourceId'>,
): Promise<boolean> {
  if (sourceId.startsWith('gateway-')) return true;
  if (!isUuid.test(sourceId)) return false;
  const [row] = await sql.query<{ is_ours: boolean }>(
    `SELECT EXISTS (SELECT FROM chatwoot_messages WHERE organization_id = $1 AND message_id = $2)
         OR EXISTS (SELECT FROM chatwoot_lanes JOIN chatwoot_outbox waiting USING (conversation_id)
                     WHERE chatwoot_lanes.organization_id = $1 AND remote_id = $3 AND waiting.message_id = $2) AS is_ours`,
    [organizationId, sourceId, conversation],
  );
  return row?.is_ours === true;
}

const unauthorized = (): Refused => new Refused('UNAUTHORIZED', 'The token or the signature is not right.');

const same = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
};

function isTokenOf({ settings: { tokenHash } }: Bridge, token: string | undefined): boolean {
  if (tokenHash === undefined || token === undefined) return false;
  return same(tokenHash, createHash('sha256').update(token).digest('hex'));
}

function isSigned(
  { settings: { webhookSecret } }: Bridge,
  { text, headers }: InputOf<typeof TakeChatwootEvent>['body'],
  now: number,
): boolean {
  if (webhookSecret === undefined) return true;
  const { 'x-chatwoot-signature': signature = '', 'x-chatwoot-timestamp': timestamp = '' } = headers;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > signatureMs) return false;
  const expected = createHmac('sha256', webhookSecret).update(`${timestamp}.${text}`).digest('hex');
  return same(signature, `sha256=${expected}`);
}

/** Of an id. */
const wordOf = (id: unknown): string => (typeof id === 'string' || typeof id === 'number' ? String(id) : '');

interface Found {
  readonly conversation: number;
  readonly message: number;
  readonly sourceId: string | undefined;
  readonly said: AgentAnswer;
}

/** @returns undefined: it is no answer of an agent in this inbox */
function answerIn({ inbox }: Bridge, text: string): Found | undefined {
  let event: Fields;
  try {
    event = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { id, content, source_id, attachments, content_attributes } = event;
  const isAnswer =
    event['event'] === 'message_created' &&
    (event['message_type'] === 'outgoing' || event['message_type'] === 1) &&
    event['private'] !== true;
  const inboxId = fieldsOf(event['inbox'])['id'] ?? fieldsOf(event['conversation'])['inbox_id'];
  const accountId = fieldsOf(event['account'])['id'];
  const conversation = Number(fieldsOf(event['conversation'])['id']);
  if (!isAnswer || inbox === undefined || wordOf(inboxId) !== inbox.inboxId) return undefined;
  if (accountId !== undefined && wordOf(accountId) !== inbox.accountId) return undefined;
  if (!Number.isSafeInteger(Number(id)) || !Number.isSafeInteger(conversation)) return undefined;
  const inReplyTo = Number(fieldsOf(content_attributes)['in_reply_to']);
  const files = (Array.isArray(attachments) ? attachments : []).slice(0, mostAttachments).map(fieldsOf);
  const said: AgentAnswer = {
    text: typeof content === 'string' ? content : '',
    attachments: files.flatMap(({ file_type, data_url }) =>
      typeof data_url === 'string' ? [{ kind: typeof file_type === 'string' ? file_type : 'file', url: data_url }] : [],
    ),
    ...(Number.isSafeInteger(inReplyTo) && inReplyTo > 0 && { inReplyTo }),
  };
  if (said.text.trim() === '' && said.attachments.length === 0) return undefined;
  return { conversation, message: Number(id), sourceId: typeof source_id === 'string' ? source_id : undefined, said };
}
