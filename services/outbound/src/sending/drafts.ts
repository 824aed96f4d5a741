import {
  normalizePhone,
  parseRecipient,
  textFormats,
  type BodyOf,
  type Caller,
  type DeleteForEveryone,
  type MediaSourceOf,
  type MessageContentOf,
  type SendReaction,
  type SendReply,
} from '@messaging-gateway/contracts';
import { needsConversion, type GivenMedia, type MediaStore, type ReadGivenMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { answer, type OperationInput, type RequestContext } from '@messaging-gateway/service';
import { invalidField } from '../composing/faults.ts';
import { targetOf, type Targets } from '../composing/targets.ts';
import type { MakeVoiceNote } from '../voice-notes/voice-notes.ts';
import type { SendAnswer } from './send-order.ts';
import type { Sending } from './sending.ts';

export interface SendRoutesParts {
  readonly compose: Compose;
  readonly targets: Targets;
  readonly sending: Pick<Sending, 'send'>;
  readonly clock: Clock;
}

type MessageBody = SendFields & { readonly profileId: string; readonly to: string };

/** Phones heed a deletion for everyone that comes so long after the message, milliseconds: two days and twelve hours. */
const deletionWindow = 60 * 3_600_000;

/** The routes that send: each reads its body into a draft, and nothing else. */
export function sendRoutes({ compose, targets, sending, clock }: SendRoutesParts) {
  /** `POST /messages/<type>` */
  const message =
    (type: MessageContentOf['type']) =>
    async ({ body, caller, context }: OperationInput<MessageBody>): Promise<unknown> => {
      const { profileId, to, ...fields } = body;
      const asked = { profileId, caller, context };
      const read = async () => {
        const jid = jidOf(to, 'body.to');
        return { to: jid, ...(await compose(type, fields, { ...asked, to: jid, path: 'body' })) };
      };
      return replyOf(await sending.send(asked, read));
    };

  /** A text message into the chat of the message that it answers. */
  const reply = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReply>>): Promise<unknown> => {
    const { profileId, ...fields } = body;
    const asked = { profileId, caller, context };
    const read = async () => {
      const { chat: to } = await targets.find(body.quotedMessageId, profileId, caller, context);
      return { to, ...(await compose('text', fields, { ...asked, to, path: 'body' })) };
    };
    return replyOf(await sending.send(asked, read));
  };

  const reaction = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReaction>>): Promise<unknown> => {
    const { profileId, messageId, emoji } = body;
    const read = async () => {
      const found = await targets.find(messageId, profileId, caller, context);
      return { to: found.chat, content: { type: 'reaction', content: { emoji }, target: targetOf(found) } } as const;
    };
    return replyOf(await sending.send({ profileId, caller, context }, read));
  };

  /** Answers the deleted message's id: the deletion itself is no resource. */
  const deletion = async ({
    body,
    caller,
    context,
  }: OperationInput<BodyOf<typeof DeleteForEveryone>>): Promise<unknown> => {
    const { profileId, messageId } = body;
    const read = async () => {
      const found = await targets.find(messageId, profileId, caller, context);
      if (!found.fromMe) throw notDeletable('was not sent by the profile');
      if (found.sentAt !== undefined && clock.now() - Date.parse(found.sentAt) > deletionWindow)
        throw notDeletable('was sent too long ago: phones heed a deletion within 60 hours');
      return { to: found.chat, content: { type: 'delete', content: {}, target: targetOf(found) } } as const;
    };
    return replyOf(
      about(messageId, await sending.send({ profileId, caller, context }, read).catch(refusedAbout(messageId))),
    );
  };

  return { message, reply, reaction, deletion };
}

const notDeletable = (message: string): Refused =>
  new Refused('CONFLICT', `The message cannot be deleted for everyone: it ${message}.`, [
    { path: 'body.messageId', message },
  ]);

/** A refusal names the deleted message as well. */
const refusedAbout =
  (messageId: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refused) || !hasMessageId(error.details)) throw error;
    throw new Refused(error.code, error.message, { ...error.details, messageId }, error.headers, error.raised);
  };

const hasMessageId = (details: unknown): details is { readonly messageId: string } =>
  typeof details === 'object' && details !== null && 'messageId' in details;

function about(messageId: string, { sent, queued }: SendAnswer): SendAnswer {
  if (queued !== undefined) return { queued: { ...queued, messageId } };
  return sent === undefined ? {} : { sent: { ...sent, messageId } };
}

/** The answer of a route: 200 when sent, 202 when queued. */
export const replyOf = ({ sent, queued }: SendAnswer): unknown => (queued === undefined ? sent : answer(202, queued));

type MessageType = MessageContentOf['type'];

interface ContactFields {
  readonly name: string;
  readonly phone?: string;
  readonly phones?: readonly { readonly phone: string; readonly label?: string }[];
  readonly email?: string;
  readonly organization?: string;
}

/** Fields of a send route, of whatever type, that were checked against its schema. */
export type SendFields = GivenMedia & {
  readonly quotedMessageId?: string;
  /** Of audio: a voice note. */
  readonly ptt?: boolean;
  readonly mimetype?: string;
  readonly mentions?: readonly string[];
  readonly contacts?: readonly ContactFields[];
};

interface ComposedAt {
  readonly profileId: string;
  /** JID of the chat that the message is for. */
  readonly to: string;
  readonly caller: Caller;
  readonly context: Pick<RequestContext, 'requestId' | 'traceparent' | 'deadline' | 'resourceId'>;
  /** Of the object that holds the fields, for example `body` or `body.messages[3].content`. */
  readonly path: string;
}

interface Composed {
  readonly content: MessageContentOf;
  readonly quotedMessageId?: string;
}

/**
 * Reads the fields of a send route into what is handed to the network.
 *
 * @throws Refused NOT_FOUND for a quoted message that the profile does not have, VALIDATION_ERROR naming the field (also for a
 * quoted message of another chat),
 * MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export type Compose = (type: MessageType, fields: SendFields, at: ComposedAt) => Promise<Composed>;

const mediaTypes = ['image', 'video', 'audio', 'document'] as const satisfies readonly MessageType[];

export interface ComposerParts {
  readonly targets: Targets;
  readonly sources: ReadGivenMedia;
  readonly facts: MediaStore['facts'];
  readonly voiceNote: MakeVoiceNote;
  /** Asked before anything is fetched and converted for a profile. @throws Refused NOT_FOUND, FORBIDDEN */
  readonly assertOpen: (profileId: string, caller: Caller) => Promise<unknown>;
}

export function composer({ targets, sources, facts, voiceNote, assertOpen }: ComposerParts): Compose {
  /** A message of another chat is refused: its text would reach somebody who was not meant to read it. */
  const quotedBy = async (
    quotedMessageId: string | undefined,
    { profileId, to, caller, context, path }: ComposedAt,
  ) => {
    if (quotedMessageId === undefined) return {};
    const quoted = await targets.quote(to, quotedMessageId, profileId, caller, context);
    if (quoted === undefined) throw invalidField(`${path}.quotedMessageId`, 'must name a message of the chat `to`');
    return { quoted };
  };

  const mediaOf = async (type: MessageType, given: GivenMedia, at: ComposedAt) => {
    const kind = mediaTypes.find((known) => known === type);
    return kind === undefined ? undefined : sources(given, kind, at);
  };

  /** Audio of the store in a container that phones do not play. What a URL leads to is not known before it is fetched. */
  const isUnplayable = async (media: MediaSourceOf): Promise<boolean> =>
    'key' in media && needsConversion((await facts(media.key))?.mimetype ?? '');

  /** The last step, as it costs the most: before it, all else of the message was found to be in order. */
  const playable = async (
    type: MessageType,
    { ptt, mimetype, url }: Pick<SendFields, 'ptt' | 'mimetype' | 'url'>,
    media: MediaSourceOf | undefined,
    { profileId, caller, context, path }: ComposedAt,
  ) => {
    if (media === undefined) return { from: {} };
    if (type !== 'audio' || !(ptt === true || (await isUnplayable(media)))) return { from: { media } };
    await assertOpen(profileId, caller);
    const { media: sent, fields: allFields } = await voiceNote(media, {
      caller,
      context,
      mimetype,
      path: `${path}.${url === undefined ? 'base64' : 'url'}`,
    });
    // Only voice notes have a waveform.
    const { waveform, ...fields } = allFields;
    return { from: { media: sent }, made: { ...fields, ...(ptt === true && waveform !== undefined && { waveform }) } };
  };

  return async (type, { quotedMessageId, url, base64, ...fields }, at) => {
    const content = contentOf(fields, at.path);
    const media = await mediaOf(
      type,
      { ...(url !== undefined && { url }), ...(base64 !== undefined && { base64 }) },
      at,
    );
    const quoted = await quotedBy(quotedMessageId, at);
    const { from, made } = await playable(type, { ...fields, ...(url !== undefined && { url }) }, media, at);
    return {
      // The schema of the route is the content's, but for what was read here.
      content: { type, content: { ...content, ...made }, ...from, ...quoted } as MessageContentOf,
      ...(quotedMessageId !== undefined && { quotedMessageId }),
    };
  };
}

function contentOf(
  { mentions, contacts, ...fields }: Omit<SendFields, 'quotedMessageId' | 'url' | 'base64'>,
  path: string,
) {
  return {
    ...fields,
    ...(mentions !== undefined && {
      mentions: mentions.map((mention, index) => jidOf(mention, `${path}.mentions[${index}]`)),
    }),
    ...(contacts !== undefined && {
      contacts: contacts.map((contact, index) => ({
        ...contact,
        ...numbersOf(contact, `${path}.contacts[${index}]`),
      })),
    }),
  };
}

/**
 * Numbers of a card as digits. `phone` is the first of `phones`.
 *
 * @throws Refused VALIDATION_ERROR naming the field
 */
function numbersOf({ phone, phones }: ContactFields, path: string) {
  const first = phone === undefined ? undefined : digitsOf(phone, `${path}.phone`);
  const all = (phones ?? []).map((one, index) => ({
    ...one,
    phone: digitsOf(one.phone, `${path}.phones[${index}].phone`),
  }));
  const isFirst = (one: { readonly phone: string }): boolean => one.phone === first;
  const leading = first === undefined || all.some(isFirst) ? all.filter(isFirst) : [{ phone: first }];
  const ordered = [...leading, ...all.filter((one) => !isFirst(one))];
  const [main] = ordered;
  if (main === undefined) throw invalidField(`${path}.phone`, textFormats.phone.form);
  return { phone: main.phone, ...(phones !== undefined && { phones: ordered }) };
}

/** @throws Refused VALIDATION_ERROR naming the field */
export function jidOf(recipient: string, path: string): string {
  const parsed = parseRecipient(recipient);
  if (parsed === undefined) throw invalidField(path, textFormats.recipient.form);
  return parsed.jid;
}

/** @throws Refused VALIDATION_ERROR naming the field */
function digitsOf(phone: string, path: string): string {
  const digits = normalizePhone(phone);
  if (digits === undefined) throw invalidField(path, textFormats.phone.form);
  return digits;
}
