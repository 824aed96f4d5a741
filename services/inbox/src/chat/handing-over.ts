import { ConversationHandover } from '@messaging-gateway/contracts';
import type { EventMetadata, HandleOptions } from '@messaging-gateway/event-sourcing';
import { publication, tells, type ServiceTools } from '@messaging-gateway/service';
import { handoverStream, type Handover, type HandoverCommand } from './handover.ts';
import { describedProfile } from './own-numbers.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'sql' | 'store'>;

/** Facts that are told of chats in the hands of humans. */
export const handoversTell = tells(handoverStream, {
  HandedOver: ({ data: { until, ...which } }) => [publication(ConversationHandover, { ...toldOf(which), until })],
  Resumed: ({ data: which }) => [publication(ConversationHandover, { ...toldOf(which), until: null })],
});

interface Which {
  readonly conversationId: string;
  readonly profileId: string;
  readonly aliases: readonly string[];
}

const toldOf = ({ conversationId, profileId, aliases }: Which) => ({
  conversationId,
  profileId,
  ...(aliases.length > 0 && { aliases: [...aliases] }),
});

/** Of a profile that earlier versions of sessions describe. */
const defaultMinutes = 60;
/** Longest silence that a profile can have, minutes. */
const mostMinutes = 10_080;
const minuteMs = 60_000;

/**
 * For how long a profile's chats are silenced by what is written on the phone, as it stands at this moment: only the phone's own
 * messages and people ask, and what was set a moment ago counts.
 *
 * @returns 0 for a profile that is gone, too
 */
export async function handoverMinutes(
  { ask }: Pick<Tools, 'ask'>,
  profileId: string,
  organizationId: string,
): Promise<number> {
  const profile = await describedProfile(ask, profileId, organizationId);
  return profile === undefined ? 0 : (profile.handoverMinutes ?? defaultMinutes);
}

/** A message that the owner has written on the phone. Times: milliseconds since 1970; `noticedAt` as in the command. */
interface OwnMessage {
  readonly conversationId: string;
  readonly profileId: string;
  readonly writtenAt: number;
  readonly noticedAt: number;
}

/** Silences a chat in which the owner has written, from then on; to be called however often. */
export async function silenceByPhone(
  tools: Tools,
  { conversationId, profileId, writtenAt, noticedAt }: OwnMessage,
  metadata: EventMetadata,
): Promise<void> {
  const now = tools.clock.now();
  if (writtenAt + mostMinutes * minuteMs <= now) return;
  const minutes = await handoverMinutes(tools, profileId, metadata.organizationId);
  const until = writtenAt + minutes * minuteMs;
  if (minutes === 0 || until <= now) return;
  const command = { type: 'NotePhone', noticedAt: iso(noticedAt), until: iso(until) } as const;
  await handle(tools, { conversationId, profileId }, command, { metadata });
}

/** End of a silence as asked for: `until` (ISO 8601) shortens a longer one, `atLeast` does not. */
export type Asked = { readonly until: string } | { readonly atLeast: string };

/** Silences a chat. @returns until when it is silent (ISO 8601); undefined: a repeat, after it was given back */
export async function handOver(
  tools: Tools,
  which: Named,
  asked: Asked,
  options: Options,
): Promise<string | undefined> {
  const command = 'until' in asked ? { until: asked.until, exactly: true } : { until: asked.atLeast };
  return (await handle(tools, which, { type: 'HandOver', ...command }, options)).until;
}

/** Gives a chat back, under whichever names it was silenced. */
export async function resume(tools: Tools, which: Named, options: Options): Promise<void> {
  const command = { type: 'Resume', at: iso(tools.clock.now()) } as const;
  const named = await withAliases(tools, which);
  for (const conversationId of [named.conversationId, ...named.aliases])
    await tools.store.handle(handoverStream, conversationId, { ...named, ...command, conversationId }, options);
}

type Named = Omit<Which, 'aliases'>;
type Options = Pick<HandleOptions, 'metadata' | 'onAppended' | 'once'>;
type Without<Command> = Command extends HandoverCommand ? Omit<Command, keyof Which> : never;

async function handle(
  tools: Tools,
  which: Named,
  command: Without<HandoverCommand>,
  options: Options,
): Promise<Handover> {
  const named = await withAliases(tools, which);
  return (await tools.store.handle(handoverStream, named.conversationId, { ...named, ...command }, options)).state;
}

/** Read each time: a replica may have joined two conversations a moment ago. */
async function withAliases({ sql }: Tools, { conversationId, profileId }: Named): Promise<Which> {
  const rows = await sql.query<{ id: string; alias: string | null }>(
    `SELECT own.id, alias.id AS alias
       FROM (SELECT coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1::uuid) AS id) own
       LEFT JOIN conversation_aliases alias ON alias.conversation_id = own.id
      ORDER BY alias.id`,
    [conversationId],
  );
  const aliases = rows.flatMap(({ alias }) => (alias === null ? [] : [alias]));
  return { conversationId: rows[0]?.id ?? conversationId, profileId, aliases };
}

const iso = (time: number): string => new Date(time).toISOString();
