import {
  ConversationDisappearing,
  type DataOf,
  type EventEnvelope,
  type SessionDisappearing,
} from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import { publication, tells, type ServiceTools } from '@messaging-gateway/service';
import { causedBy } from '../fact.ts';
import { shownJid, type AddressBook } from './address-book.ts';

interface TimerSetting {
  readonly conversationId: string;
  readonly profileId: string;
  /** 0: messages do not disappear. */
  readonly seconds: number;
  /** ISO 8601. */
  readonly at: string;
  /** JID of the person who set the timer. */
  readonly author?: string;
  readonly fromMe: boolean;
  /** The phone or the network listed the timer: nobody is notified. */
  readonly history?: true;
}

type TimerEvent = { type: 'TimerSet'; data: TimerSetting };
type TimerCommand = { type: 'SetTimer'; setting: TimerSetting };

interface ChatTimer {
  readonly seconds: number;
  readonly at?: string;
}

/** The timer that was set last holds, in whichever order settings arrive. */
const chatTimer: Decider<ChatTimer, TimerCommand, TimerEvent> = {
  initial: { seconds: 0 },
  decide: ({ setting }, { seconds, at = '' }) =>
    setting.at < at || setting.seconds === seconds ? [] : [{ type: 'TimerSet', data: setting }],
  evolve: (_, { data: { seconds, at } }) => ({ seconds, at }),
};

/** The stream has the id of the conversation. */
export const chatTimerStream: StreamType<ChatTimer, TimerCommand, TimerEvent> = {
  name: 'chat-timer',
  decider: chatTimer,
  events: { TimerSet: { version: 1, personal: ['author'] } },
  snapshotEvery: 100,
};

export const chatTimersTell = tells(chatTimerStream, {
  TimerSet: ({ data: { conversationId, seconds, author, fromMe, history, profileId } }) =>
    history === true
      ? []
      : [
          publication(
            ConversationDisappearing,
            { conversationId, seconds, ...(author !== undefined && { author }), fromMe },
            profileId,
          ),
        ],
});

export const chatTimersView = view({
  name: 'chat_timers',
  tables: ['chat_timers'],
  joins: true,
  of: chatTimerStream,
  on: ['TimerSet'],
  rows: (events) =>
    events.map(({ data, metadata }) => ({
      conversation_id: data.conversationId,
      organization_id: metadata.organizationId,
      profile_id: data.profileId,
      seconds: data.seconds,
      set_at: data.at,
    })),
  sql: `
    INSERT INTO {schema}.chat_timers (conversation_id, organization_id, profile_id, seconds, set_at)
    SELECT DISTINCT ON (given.conversation_id) given.conversation_id, given.organization_id, given.profile_id, given.seconds, given.set_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             conversation_id uuid, organization_id uuid, profile_id uuid, seconds integer, set_at timestamptz)
     ORDER BY given.conversation_id, rows.ordinal DESC
    ON CONFLICT (conversation_id) DO UPDATE SET seconds = excluded.seconds, set_at = excluded.set_at`,
});

/**
 * SQL: the timer of a chat that was set last, under any of its names, in seconds; null or 0 without one.
 *
 * @param id SQL of the id of a conversation that is no alias
 */
export const timerOfChat = (id: string): string => `(
  SELECT timer.seconds
    FROM (SELECT ${id} AS id
           UNION ALL SELECT alias.id FROM conversation_aliases alias WHERE alias.conversation_id = ${id}) known
   CROSS JOIN LATERAL (SELECT t.seconds, t.set_at FROM chat_timers t WHERE t.conversation_id = known.id OFFSET 0) timer
   ORDER BY timer.set_at DESC LIMIT 1)`;

/** Stores the timer of a chat that the engine reports. */
export async function storeTimer(
  { store, addressBook }: Pick<ServiceTools<unknown>, 'store'> & { readonly addressBook: AddressBook },
  { profileId, chat, author, fromMe, seconds, at, history }: DataOf<typeof SessionDisappearing>,
  event: EventEnvelope,
): Promise<void> {
  const metadata = causedBy(event, profileId);
  const conversationId = await addressBook.conversationOf(profileId, chat, metadata);
  const setting: TimerSetting = {
    conversationId,
    profileId,
    seconds,
    at,
    ...(author !== undefined && { author: shownJid(author) }),
    fromMe,
    ...(history !== undefined && { history }),
  };
  await store.handle(chatTimerStream, conversationId, { type: 'SetTimer', setting }, { metadata });
}
