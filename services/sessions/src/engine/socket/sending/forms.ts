import type { proto } from '@whiskeysockets/baileys';
import type { MessageContentOf } from '@messaging-gateway/contracts';
import { vcardOf, type ContactCard } from '../wire-format/contact-cards.ts';

type ContentOf<Type extends MessageContentOf['type']> = Extract<MessageContentOf, { type: Type }>['content'];

/** The network's form of a location. */
export const locationForm = ({ latitude, longitude, name, address }: ContentOf<'location'>): proto.IMessage => ({
  locationMessage: {
    degreesLatitude: latitude,
    degreesLongitude: longitude,
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
  },
});

/** The network's form of contact cards: one card and several cards differ. */
export function contactForm(contacts: readonly ContactCard[]): proto.IMessage {
  const cards = contacts.map((card) => ({ displayName: card.name, vcard: vcardOf(card) }));
  const [first] = cards;
  if (cards.length === 1 && first !== undefined) return { contactMessage: first };
  return { contactsArrayMessage: { displayName: `${cards.length} contacts`, contacts: cards } };
}

/** The network's form of a poll. Phones display a poll with one choice in another form. */
export function pollForm({ question, options, allowMultiple }: ContentOf<'poll'>): proto.IMessage {
  const isSingle = allowMultiple !== true;
  const poll = {
    name: question,
    selectableOptionsCount: isSingle ? 1 : 0,
    options: options.map((optionName) => ({ optionName })),
  };
  return isSingle ? { pollCreationMessageV3: poll } : { pollCreationMessage: poll };
}
