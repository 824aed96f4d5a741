import { Type, type TObject, type TProperties, type TUnsafe } from 'typebox';
import { closed } from '../../shapes.ts';
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

/** An object of these fields with `type` and `content`; each type has its own member, chosen by `type`. */
export function typedMessage<Fields extends object>(fields: TProperties): TUnsafe<Fields & TypedMessage> {
  const members = Object.entries(sendRoutes).map(([type, { body }]) =>
    closed({ ...fields, type: Type.Literal(type), content: contentOf(body as TObject) }),
  );
  return Type.Unsafe<Fields & TypedMessage>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: members,
  });
}

/** The body of a send route without who sends it to whom. */
function contentOf(body: TObject): TObject {
  const { profileId: _, to: __, ...fields } = body.properties;
  return { ...body, properties: fields, required: body.required?.filter((name) => name in fields) ?? [] } as TObject;
}
