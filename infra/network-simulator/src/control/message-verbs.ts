import { isJidGroup, proto } from '@whiskeysockets/baileys';
import type { Content } from '../messages/kinds.ts';
import { storm } from '../messages/storm.ts';
import { writeToGroup } from '../messages/group-writing.ts';
import { write, type WritingOptions } from '../messages/writing.ts';
import type { Network } from '../network.ts';
import type { ShownMessage } from '../people/inbox.ts';
import { TYPING_STATES } from '../people/typing.ts';
import { showPresence, showTyping } from '../presence/from-people.ts';
import { sendReceipt } from '../receipts/from-people.ts';
import type { SimulatorControl, Text } from './contract.ts';
import { groupOf } from './group-verbs.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';
import { envelopeFrom, stanzasFrom } from './stanzas.ts';

type MessageVerbs = Pick<
  SimulatorControl,
  | 'sendFromPhone'
  | 'sendFromContact'
  | 'storm'
  | 'showTyping'
  | 'showPresence'
  | 'typing'
  | 'messages'
  | 'written'
  | 'read'
  | 'waitForMessages'
>;

const WAIT_MS = 180_000;
const PRESENCES = ['available', 'unavailable'];

/** Verbs of people on messages: write, see, read. */
export function messageVerbs(network: Network): MessageVerbs {
  const person = (phone: string) => personOf(network, phone);
  const send = (author: string, message: Text, options: WritingOptions = {}) =>
    isJidGroup(message.to) === true
      ? writeToGroup(network, person(author), groupOf(network, message.to), contentOf(message), options)
      : write(network, person(author), person(message.to), contentOf(message), options);
  return {
    sendFromPhone: async (phone, message) => ({
      id: await send(phone, message),
    }),
    sendFromContact: async (contact, message) => ({
      id: await send(contact, message, {
        ...message,
        envelope: envelopeFrom(message.envelope),
        instead: stanzasFrom(message.instead),
        broadcast: broadcastFrom(message.broadcast),
      }),
    }),
    storm: async (contact, { to, count }) => ({ ids: await storm(person(contact), person(to), count) }),
    showTyping: async (contact, { to, state }) => {
      if (!TYPING_STATES.includes(state)) throw new Refusal('STATE_UNKNOWN', `One of: ${TYPING_STATES.join(', ')}.`);
      showTyping(person(contact), isJidGroup(to) === true ? groupOf(network, to) : person(to), state);
    },
    showPresence: async (contact, { state, lastSeen }) => {
      if (!PRESENCES.includes(state)) throw new Refusal('STATE_UNKNOWN', `One of: ${PRESENCES.join(', ')}.`);
      showPresence(network, person(contact), { state, ...(lastSeen !== undefined && { lastSeen }) });
    },
    typing: async (contact, choice = {}) => person(contact).typing.seen(choice.from),
    messages: async (contact, choice = {}) => {
      await person(contact).reading.finish();
      return person(contact).inbox.shown(choice.from).map(withJson);
    },
    written: async (contact, choice = {}) => person(contact).outbox.written(choice.to),
    read: async (contact, choice = {}) => {
      const reader = person(contact);
      const messages = reader.inbox.markRead(choice);
      for (const { from, id, writtenTo } of messages) sendReceipt(reader, person(from), [id], 'read', writtenTo);
      const ids = messages.map(({ id }) => id);
      const played = choice.played === true ? reader.inbox.whereRead(choice.ids ?? ids) : [];
      for (const { from, id, writtenTo } of played) sendReceipt(reader, person(from), [id], 'played', writtenTo);
      return { ids };
    },
    waitForMessages: async (contact, count, timeoutMs = WAIT_MS, from?: string) => {
      const messages = await person(contact).inbox.wait(count, timeoutMs, from);
      await person(contact).reading.finish();
      if (messages.length >= count) return messages.map(withJson);
      throw new Refusal(
        'MESSAGES_MISSING',
        `${messages.length} of ${count} messages were shown within ${timeoutMs} ms.`,
      );
    },
  };
}

/** Converts the decrypted message to JSON when it is read: few tests look at it. */
function withJson(message: ShownMessage): ShownMessage {
  const { raw } = message;
  if (raw === undefined) return message;
  return {
    ...message,
    get raw() {
      return proto.Message.fromObject(raw).toJSON();
    },
  };
}

function broadcastFrom(broadcast: unknown): string | undefined {
  if (broadcast === undefined || (typeof broadcast === 'string' && /^\d+$/.test(broadcast))) return broadcast;
  throw new Refusal('BROADCAST_INVALID', '`broadcast` must be digits, for example "1700000000".');
}

function contentOf(message: Text): Content {
  const content = 'content' in message ? message.content : { type: 'text' as const, text: message.text };
  if (content.type !== 'text' || (typeof content.text === 'string' && content.text !== '')) return content;
  throw new Refusal('TEXT_MISSING', 'A message needs a text.');
}
