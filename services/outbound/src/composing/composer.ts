import {
  normalizePhone,
  parseRecipient,
  type Caller,
  type MediaSourceOf,
  type MessageContentOf,
} from '@messaging-gateway/contracts';
import type { RequestContext } from '@messaging-gateway/service';
import { invalidField } from './faults.ts';
import type { GivenMedia, MediaSources } from './media-sources.ts';
import type { MakeVoiceNote } from '../voice-notes/voice-notes.ts';
import type { Targets } from './targets.ts';

type MessageType = MessageContentOf['type'];

/** Fields of a send route, of whatever type, that were checked against its schema. */
export type SendFields = GivenMedia & {
  readonly quotedMessageId?: string;
  /** Of audio: a voice note. */
  readonly ptt?: boolean;
  readonly mimetype?: string;
  readonly mentions?: readonly string[];
  readonly contacts?: readonly { readonly name: string; readonly phone: string; readonly email?: string }[];
};

interface ComposedAt {
  readonly profileId: string;
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
 * @throws Refused NOT_FOUND for a quoted message that the profile does not have, VALIDATION_ERROR naming the field,
 * MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export type Compose = (type: MessageType, fields: SendFields, at: ComposedAt) => Promise<Composed>;

const mediaTypes = ['image', 'video', 'audio', 'document'] as const satisfies readonly MessageType[];

export interface ComposerParts {
  readonly targets: Targets;
  readonly sources: MediaSources;
  readonly voiceNote: MakeVoiceNote;
  /** Asked before anything is fetched and converted for a profile. @throws Refused NOT_FOUND, FORBIDDEN */
  readonly assertOpen: (profileId: string, caller: Caller) => Promise<unknown>;
}

export function composer({ targets, sources, voiceNote, assertOpen }: ComposerParts): Compose {
  const quotedBy = async (quotedMessageId: string | undefined, { profileId, caller, context }: ComposedAt) => {
    if (quotedMessageId === undefined) return {};
    return { quoted: await targets.quote(quotedMessageId, profileId, caller, context) };
  };

  const mediaOf = async (type: MessageType, given: GivenMedia, at: ComposedAt) => {
    const kind = mediaTypes.find((known) => known === type);
    return kind === undefined ? undefined : sources(given, kind, at);
  };

  /** The last step, as it costs the most: before it, all else of the message was found to be in order. */
  const playable = async (
    type: MessageType,
    { ptt, mimetype }: Pick<SendFields, 'ptt' | 'mimetype'>,
    media: MediaSourceOf | undefined,
    { profileId, caller, context, path }: ComposedAt,
  ) => {
    if (media === undefined) return { from: {} };
    if (type !== 'audio' || ptt !== true) return { from: { media } };
    await assertOpen(profileId, caller);
    const { media: sent, fields } = await voiceNote(media, {
      caller,
      context,
      mimetype,
      path: `${path}.${'url' in media ? 'url' : 'base64'}`,
    });
    return { from: { media: sent }, made: fields };
  };

  return async (type, { quotedMessageId, url, base64, ...fields }, at) => {
    const content = contentOf(fields, at.path);
    const media = await mediaOf(
      type,
      { ...(url !== undefined && { url }), ...(base64 !== undefined && { base64 }) },
      at,
    );
    const quoted = await quotedBy(quotedMessageId, at);
    const { from, made } = await playable(type, fields, media, at);
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
        phone: digitsOf(contact.phone, `${path}.contacts[${index}].phone`),
      })),
    }),
  };
}

/** @throws Refused VALIDATION_ERROR naming the field */
export function jidOf(recipient: string, path: string): string {
  const parsed = parseRecipient(recipient);
  if (parsed === undefined) throw invalidField(path, 'is no phone number and no JID');
  return parsed.jid;
}

/** @throws Refused VALIDATION_ERROR naming the field */
function digitsOf(phone: string, path: string): string {
  const digits = normalizePhone(phone);
  if (digits === undefined) throw invalidField(path, 'is no phone number');
  return digits;
}
