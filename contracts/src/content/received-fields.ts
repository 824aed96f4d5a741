import { Type } from 'typebox';
import { Jid, Timestamp, closed, oneOf } from '../shapes.ts';

const said = (description: string) => Type.Optional(Type.String({ description }));

/** People that a text or caption names. */
export const mentioned = {
  mentions: Type.Optional(Type.Array(Jid)),
  mentionsMe: Type.Optional(Type.Literal(true, { description: 'The profile itself is mentioned. Absent otherwise' })),
  mentionsAll: Type.Optional(
    Type.Literal(true, { description: 'All members of the group are mentioned. Absent otherwise' }),
  ),
};

/** A button, or a row of a list, below a message. */
const MessageChoice = closed(
  {
    kind: oneOf(['reply', 'url', 'call', 'copy', 'list'], {
      description:
        '`reply`: answers with this choice. `url`: opens a page. `call`: calls a number. `copy`: copies a code. `list`: a row of a list, answers as `reply` does',
    }),
    id: said('Id that an answer names in `chosen`'),
    text: Type.String({ description: 'Text on the button or row' }),
    url: said('Of kind `url`: the page'),
    phone: said('Of kind `call`: the number, digits'),
    code: said('Of kind `copy`: the code'),
  },
  { title: 'MessageChoice' },
);
export const choices = {
  choices: Type.Optional(
    Type.Array(MessageChoice, { description: 'Buttons and list rows below the message, at most 100' }),
  ),
};

const ChosenOption = closed(
  {
    id: Type.String({ description: 'Id of the choice, set by the sender of the question' }),
    text: said('Text of the choice'),
    description: said('Second line of a list row'),
  },
  { title: 'ChosenOption', description: 'The button or list row that this message answers with' },
);
export const chosen = { chosen: Type.Optional(ChosenOption) };

const Referral = closed(
  {
    sourceType: said('`ad` or `post`'),
    sourceId: said('Id of the ad'),
    sourceUrl: said('Address of the ad'),
    title: said('Headline of the ad'),
    body: said('Text of the ad'),
    ctwaClid: said('Click id, for conversion reports to Meta'),
    entryPoint: said('Where the person came from, for example `ctwa_ad`'),
  },
  { title: 'Referral', description: 'The ad from which the person wrote. Absent when the message comes from no ad' },
);
export const referral = { referral: Type.Optional(Referral) };

const Money = closed(
  {
    amount: Type.String({ description: "Decimal number with the currency's usual decimals, for example `5.99`" }),
    currency: Type.String({ description: 'ISO 4217, for example `EUR`' }),
  },
  { title: 'Money', description: 'Amount with its currency' },
);
const EventPlace = closed(
  {
    name: said('Name of the place'),
    address: said('Address of the place'),
    latitude: Type.Optional(Type.Number({ description: 'Degrees' })),
    longitude: Type.Optional(Type.Number({ description: 'Degrees' })),
  },
  { description: 'Place of the event' },
);

/** Facts of messages that are of no type of their own, by `content.kind`. */
const About = Type.Union(
  [
    closed(
      {
        name: Type.String({ description: 'Name of the event' }),
        description: said('Text about the event'),
        startsAt: { ...Timestamp, description: 'When the event begins' },
        endsAt: Type.Optional({ ...Timestamp, description: 'When the event ends' }),
        location: Type.Optional(EventPlace),
        cancelled: Type.Boolean({ description: 'Whether the event was cancelled' }),
      },
      { title: 'EventAbout' },
    ),
    closed(
      {
        orderId: Type.String({ description: "The network's id of the order" }),
        title: said('Title of the order'),
        itemCount: Type.Optional(Type.Integer({ minimum: 0, description: 'How many items were ordered' })),
        total: Type.Optional(Money),
      },
      { title: 'OrderAbout' },
    ),
    closed(
      {
        productId: Type.String({ description: "The network's id of the product" }),
        title: Type.String({ description: 'Name of the product' }),
        description: said('Text about the product'),
        price: Type.Optional(Money),
      },
      { title: 'ProductAbout' },
    ),
    closed(
      {
        groupId: Jid,
        name: Type.String({ description: 'Name of the group' }),
        code: Type.String({ description: 'Invitation code' }),
        expiresAt: Type.Optional(Timestamp),
        caption: said('Text below the invitation'),
      },
      { title: 'GroupInviteAbout' },
    ),
  ],
  { description: 'Fields of an event, an order, a product or a group invitation, by `kind`. Absent for other kinds' },
);
export const about = { about: Type.Optional(About) };
