import { proto } from '@whiskeysockets/baileys';
import type { Change } from '../../../session-data/session-data-store.ts';
import type { Fact } from '../../engine.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { person, toNetwork, type NetworkAddress, type Parties } from './addresses.ts';
import { openMessage } from './message-kinds.ts';

/** After how many seconds messages of a chat disappear on phones, 0: never; and since when, seconds since 1970. */
export interface ChatTimer {
  readonly seconds: number;
  readonly at: number;
}

type TimerFact = Extract<Fact, { kind: 'disappearing' }>;

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;

const daySeconds = 86_400;
/** The sender chooses both numbers: the inbox stores no more seconds, and clocks differ by a day at most. */
const maxSeconds = 2_147_483_647;
const bounded = (seconds: number, at: number, sentAt: number): ChatTimer => ({
  seconds: Math.min(seconds, maxSeconds),
  at: Math.max(0, Math.min(Math.trunc(at) || sentAt, sentAt + daySeconds)),
});

/** The timer that a message sets or carries. @param sentAt seconds since 1970, for messages that do not say since when */
export function timerIn(message: proto.IMessage, sentAt: number): ChatTimer | undefined {
  const { kind, message: content } = openMessage(message);
  const { protocolMessage: setting } = content;
  if (setting?.type === EPHEMERAL_SETTING)
    return bounded(setting.ephemeralExpiration ?? 0, Number(setting.ephemeralSettingTimestamp ?? 0), sentAt);
  const inner = kind === undefined ? undefined : content[kind];
  const context = typeof inner === 'object' && inner !== null && 'contextInfo' in inner ? inner.contextInfo : undefined;
  if (!context?.expiration && !context?.ephemeralSettingTimestamp) return undefined;
  return bounded(context.expiration ?? 0, Number(context.ephemeralSettingTimestamp ?? 0), sentAt);
}

/** The timer that the phone lists for a chat. @param now seconds since 1970 */
export const listedTimer = (
  { ephemeralExpiration, ephemeralSettingTimestamp }: proto.IConversation,
  now: number,
): ChatTimer | undefined =>
  ephemeralExpiration ? bounded(ephemeralExpiration, Number(ephemeralSettingTimestamp ?? 0), now) : undefined;

/** The timer of a chat as it was set last. @param jid as the gateway names the chat */
export async function timerOf(jid: string, state: SignalState): Promise<ChatTimer | undefined> {
  const known = jid.endsWith('@g.us') ? undefined : await person(toNetwork(jid), undefined, state);
  return storedTimer(known ?? { jid }, state);
}

/** @returns undefined when the chat's timer is the same already, or was set later than that */
export async function timerFact(
  timer: ChatTimer,
  { chat, author, fromMe }: Pick<Parties, 'chat' | 'fromMe'> & { readonly author?: NetworkAddress | undefined },
  { profileId, state }: { readonly profileId: string; readonly state: SignalState },
  history = false,
): Promise<TimerFact | undefined> {
  const before = (await storedTimer(chat, state)) ?? { seconds: 0, at: 0 };
  if (timer.at < before.at || timer.seconds === before.seconds) return undefined;
  return {
    kind: 'disappearing',
    data: {
      profileId,
      chat,
      ...(author !== undefined && { author }),
      fromMe,
      seconds: timer.seconds,
      at: new Date(timer.at * 1000).toISOString(),
      ...(history && { history: true as const }),
    },
  };
}

/** Changes that keep the timers of facts for messages that are sent later. */
export const timerChanges = (facts: readonly Fact[], state: SignalState): readonly Change[] =>
  facts.flatMap((fact) => {
    if (fact.kind !== 'disappearing') return [];
    const { chat, seconds, at } = fact.data;
    const timer: ChatTimer = { seconds, at: Math.floor(Date.parse(at) / 1000) };
    return state.changes({ 'chat-timers': Object.fromEntries(namesOf(chat).map((name) => [name, timer])) });
  });

const namesOf = ({ jid, lid }: NetworkAddress): readonly string[] => [
  ...new Set(lid === undefined ? [jid] : [jid, lid]),
];

async function storedTimer(chat: NetworkAddress, state: SignalState): Promise<ChatTimer | undefined> {
  const known = Object.values(await state.get<ChatTimer>('chat-timers', [...namesOf(chat)]));
  return known.reduce<ChatTimer | undefined>(
    (one, other) => (one !== undefined && one.at > other.at ? one : other),
    undefined,
  );
}
