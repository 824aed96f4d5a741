import { randomBytes } from 'node:crypto';
import { conversationIdOf } from '@messaging-gateway/contracts';
import { contactIdOf } from '../../../services/inbox/src/contact/contact-id.ts';
import { networkMessageIdOf } from '../../../services/outbound/src/message/message.ts';

/**
 * How much is stored, over which time: a tenth of all messages lies in one conversation, the rest is spread evenly; where there are few for each
 * conversation, half of them lies in `busy` ones, so that a page of these is full.
 */
export interface Plan {
  readonly messages: number;
  readonly conversations: number;
  readonly busy: number;
  readonly organizationId: string;
  readonly profiles: readonly { readonly profileId: string; readonly phone: string }[];
  /** Moment of the first message and time between two, milliseconds. */
  readonly begin: number;
  readonly step: number;
}

export interface PlannedConversation {
  readonly conversation: string;
  readonly alias: string;
  readonly contact: string;
  readonly profile: string;
  readonly ownPhone: string;
  readonly phone: string;
  readonly lid: string;
  readonly pushName: string;
}

export const daysStored = 28;
export const largeShare = 10;
/** A word that every thousandth message has. */
export const rareWord = 'zanzibar';

export const momentOf = ({ begin, step }: Plan, number: number): number => Math.floor(begin + number * step);

/** Which conversation the message of a number lies in; 0 is the large one. */
export function placeOf({ conversations, busy }: Plan, number: number): number {
  if (number % largeShare === 0) return 0;
  const among = number - Math.floor(number / largeShare) - 1;
  if (busy === 0) return 1 + ((among * 7919) % (conversations - 1));
  const turn = Math.floor(among / 2) * 7919;
  return among % 2 === 0 ? 1 + (turn % busy) : 1 + busy + (turn % (conversations - 1 - busy));
}

/** Numbers of conversations with which every page that is measured is full: 10,000 with a million messages, 1000 with ten thousand. */
export function spreadOf(messages: number): Pick<Plan, 'conversations' | 'busy'> {
  const conversations = Math.min(messages / 10, Math.max(1000, messages / 100));
  return { conversations, busy: messages / conversations < 60 ? measuredPlaces : 0 };
}

/** Usual conversations that are asked for. */
export const measuredPlaces = 90;

export function plannedConversation({ organizationId, profiles }: Plan, place: number): PlannedConversation {
  const { profileId: profile, phone: ownPhone } = profiles[place % profiles.length] ?? { profileId: '', phone: '' };
  const phone = `4925${String(place).padStart(9, '0')}`;
  const lid = String(250_000_000_000_000 + place);
  return {
    conversation: conversationIdOf(profile, `${phone}@c.us`),
    alias: conversationIdOf(profile, `${lid}@lid`),
    contact: contactIdOf({ organizationId, profileId: profile }, phone),
    profile,
    ownPhone,
    phone,
    lid,
    pushName: `Correspondent ${place}`,
  };
}

/** A UUIDv7 of a moment. */
export function idAt(moment: number): string {
  const time = moment.toString(16).padStart(12, '0');
  const more = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${more.slice(0, 3)}-8${more.slice(3, 6)}-${more.slice(6, 18)}`;
}

export const networkIdOf = (id: string, isSent: boolean): string =>
  isSent ? networkMessageIdOf(id) : `AC${randomBytes(15).toString('hex').toUpperCase()}`;

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'wa'];
const word = (number: number): string => [8, 4, 0].map((shift) => syllables[(number >> shift) & 15]).join('');

/** About sixty characters out of four thousand words, a few of them far more frequent than the rest. */
export function textOf(number: number): string {
  const bytes = randomBytes(20);
  const words = Array.from({ length: 9 }, (_, at) => {
    const share = bytes.readUInt16LE(at * 2) / 65_536;
    return word(Math.floor(4096 * share ** 3));
  });
  return `${words.join(' ')}${number % 1000 === 500 ? ` ${rareWord}` : ''}`;
}
