import { AcceptMessage, namedUuids } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { openedFor, sealedFor } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Lane, Outbox } from './outbox.ts';

/** An agent's message, as it is kept until it has been handed over. */
export interface AgentAnswer {
  readonly text: string;
  readonly attachments: readonly { readonly kind: string; readonly url: string }[];
  /** Chatwoot's id of the message that the agent answers. */
  readonly inReplyTo?: number;
}

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'encryption' | 'sql'>;

const idOf = namedUuids('7d3c0a5e-2a0b-5c61-9d70-4a1f0b8d6e15');
/** How often a message is tried to be handed to the network. */
const attempts = 3;
const types: Readonly<Record<string, 'image' | 'video' | 'audio'>> = { image: 'image', video: 'video', audio: 'audio' };

type Part = {
  readonly type: 'text' | 'image' | 'video' | 'audio' | 'document';
  readonly content: Record<string, unknown>;
};

/** Answers of agents: kept before Chatwoot is told that they were taken, and handed to the lane of the profile once. */
export class Answers {
  readonly #tools: Tools;
  readonly #outbox: Outbox;

  constructor(tools: Tools, outbox: Outbox) {
    this.#tools = tools;
    this.#outbox = outbox;
  }

  /** Takes one in; the same again, whenever it comes, changes nothing. @returns whether it is one for a chat of ours */
  async take(
    organizationId: string,
    remoteConversation: number,
    remoteMessage: number,
    answer: AgentAnswer,
  ): Promise<boolean> {
    const { clock, encryption, sql } = this.#tools;
    const rows = await sql.query(
      `WITH lane AS (
         UPDATE chatwoot_lanes SET told = told + 1, next_look_at = coalesce(next_look_at, $5)
          WHERE conversation_id = (SELECT conversation_id FROM chatwoot_lanes WHERE organization_id = $1 AND remote_id = $2 LIMIT 1)
         RETURNING conversation_id
       )
       INSERT INTO chatwoot_answers (organization_id, remote_message_id, conversation_id, sealed, created_at)
       SELECT $1, $3, conversation_id, $4, $5 FROM lane
       ON CONFLICT (organization_id, remote_message_id) DO UPDATE SET created_at = chatwoot_answers.created_at
       RETURNING 1`,
      [
        organizationId,
        remoteConversation,
        remoteMessage,
        sealedFor(encryption, organizationId, answer),
        new Date(clock.now()),
      ],
    );
    return rows.length > 0;
  }

  /** Hands over what waits in a chat, in the order of Chatwoot. */
  async send(lane: Lane): Promise<void> {
    const { encryption, sql } = this.#tools;
    const rows = await sql.query<{ remote_message_id: string; sealed: string }>(
      `SELECT remote_message_id, sealed FROM chatwoot_answers WHERE conversation_id = $1 AND sealed IS NOT NULL
        ORDER BY remote_message_id LIMIT 100`,
      [lane.conversation_id],
    );
    for (const { remote_message_id, sealed } of rows) {
      const answer = openedFor(encryption, lane.organization_id, sealed) as AgentAnswer;
      await this.#one(lane, Number(remote_message_id), answer);
      await sql.query(
        'UPDATE chatwoot_answers SET sealed = NULL WHERE organization_id = $1 AND remote_message_id = $2',
        [lane.organization_id, remote_message_id],
      );
    }
  }

  async #one(lane: Lane, remote: number, answer: AgentAnswer): Promise<void> {
    const { ask } = this.#tools;
    const quotedMessageId = answer.inReplyTo === undefined ? undefined : await this.#ours(lane, answer.inReplyTo);
    for (const [place, { type, content }] of partsOf(answer).entries()) {
      const messageId = idOf(`${lane.organization_id} ${remote} ${place}`);
      await this.#remember(lane, messageId, remote);
      try {
        await ask(AcceptMessage, {
          messageId,
          organizationId: lane.organization_id,
          profileId: lane.profile_id,
          to: lane.chat,
          type,
          content: {
            ...content,
            ...(place === 0 && type === 'text' && quotedMessageId !== undefined && { quotedMessageId }),
          },
          origin: 'api',
          actor: 'service:webhooks',
          attempts,
        });
      } catch (error) {
        if (!(error instanceof Refused) || error.code === 'SERVICE_UNAVAILABLE') throw error;
        await this.note(lane, messageId, remote, error.message);
        return;
      }
    }
  }

  /** Tells agents that something of theirs has not gone out. */
  async note(lane: Lane, cause: string, remote: number, reason: string): Promise<void> {
    const { conversation_id: conversationId, organization_id: organizationId, profile_id: profileId, chat } = lane;
    await this.#outbox.put({
      eventId: idOf(`note ${cause}`),
      organizationId,
      profileId,
      conversationId,
      chat,
      messageId: undefined,
      told: { kind: 'note', data: { text: `⚠️ This message was not sent: ${reason}`, answersRemote: remote } },
      now: this.#tools.clock.now(),
    });
  }

  /** Notes that a message is an agent's: news of it are not posted. */
  async #remember({ organization_id, remote_id }: Lane, messageId: string, remote: number): Promise<void> {
    await this.#tools.sql.query(
      `INSERT INTO chatwoot_messages (organization_id, message_id, remote_message_id, remote_id, by_agent, created_at)
       VALUES ($1, $2, $3, $4, true, $5) ON CONFLICT (organization_id, message_id) DO NOTHING`,
      [organization_id, messageId, remote, remote_id, new Date(this.#tools.clock.now())],
    );
  }

  async #ours({ organization_id }: Lane, remote: number): Promise<string | undefined> {
    const [row] = await this.#tools.sql.query<{ message_id: string }>(
      'SELECT message_id FROM chatwoot_messages WHERE organization_id = $1 AND remote_message_id = $2 ORDER BY message_id LIMIT 1',
      [organization_id, remote],
    );
    return row?.message_id;
  }
}

/** A message for each file, the text as the caption of the first that takes one. */
function partsOf({ text, attachments }: AgentAnswer): Part[] {
  const words = text.trim() === '' ? undefined : text;
  const files: Part[] = attachments.map(({ kind, url }) => {
    const type = types[kind] ?? 'document';
    return { type, content: type === 'document' ? { url, filename: nameIn(url) } : { url } };
  });
  if (words === undefined) return files;
  const [first, ...others] = files;
  if (first === undefined || first.type === 'audio') return [{ type: 'text', content: { text: words } }, ...files];
  return [{ ...first, content: { ...first.content, caption: words } }, ...others];
}

function nameIn(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined;
  try {
    return decodeURIComponent(last ?? '') || 'file';
  } catch {
    return 'file';
  }
}
