import type { TObject, TProperties, TUnsafe } from 'typebox';
import { byType, capital, closed } from '../../shapes.ts';
import { SendAudio } from './send-audio.ts';
import { SendContact } from './send-contact.ts';
import { SendDocument } from './send-document.ts';
import { SendImage } from './send-image.ts';
import { SendLocation } from './send-location.ts';
import { SendPoll } from './send-poll.ts';
import { SendText } from './send-text.ts';
import { SendVideo } from './send-video.ts';

/** The send routes whose messages can also be scheduled and sent in bulk, by the type of the message. */
export const sendRoutes = {
  text: SendText,
  image: SendImage,
  video: SendVideo,
  audio: SendAudio,
  document: SendDocument,
  location: SendLocation,
  contact: SendContact,
  poll: SendPoll,
} as const satisfies Record<string, { body: TObject }>;
export type SendableType = keyof typeof sendRoutes;

/** A message by its type; `content` has the fields of that type's send route. */
export interface TypedMessage {
  readonly type: SendableType;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Contents by type: bodies of the send routes without who sends to whom. */
export const contentsToSend: Readonly<Record<string, TObject>> = Object.fromEntries(
  Object.entries(sendRoutes).map(([type, { body }]) => [type, contentOf(type, body)]),
);

/** An object of these fields with `type` and `content`; each type has its own member, chosen by `type`. */
export const typedMessage = <Fields extends object>(
  title: string,
  fields: TProperties,
): TUnsafe<Fields & TypedMessage> => byType<Fields & TypedMessage>(title, fields, contentsToSend);

/** The body of a send route without who sends it to whom. */
function contentOf(type: string, body: TObject): TObject {
  const { profileId: _, to: __, ...fields } = body.properties;
  return closed(fields, { title: `${capital(type)}ToSend` });
}
