import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Tags } from '../operations/inbox/contacts/shapes.ts';
import { Id, Jid, Timestamp, closed, nullable } from '../shapes.ts';

export const FetchPeople = internal({
  name: 'FetchPeople',
  owner: 'sessions',
  means:
    "Pages of the people of whom the network has told a profile: the phone's address book, read anew for the first page, and the " +
    'names that people go by, as the phone handed them over with its history. ENGINE_TIMEOUT when the network does not answer.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    after: Type.Optional(Type.String({ description: '`next` of the page before; absent for the first' })),
    limit: Type.Integer({ minimum: 1, maximum: 1000 }),
  }),
  answer: closed({
    people: Type.Array(
      closed({
        phone: Type.Optional(Type.String({ description: 'Digits' })),
        lid: Type.Optional(Type.String({ description: '`<id>@lid`; one of both is there' })),
        name: Type.Optional(Type.String({ description: 'By which the phone has saved the person' })),
        pushName: Type.Optional(Type.String({ description: 'Which the person gave on the network' })),
      }),
    ),
    next: Type.Optional(Type.String({ description: 'Absent at the end' })),
  }),
  timeoutMs: 30_000,
});

/** Whom to write to: everybody, those with any of some tags, or those of some contacts. */
const Chosen = Type.Union([
  closed({ type: Type.Literal('all') }),
  closed({ type: Type.Literal('tags'), tags: Type.Array(Type.String(), { maxItems: 1000 }) }),
  closed({ type: Type.Literal('contacts'), contactIds: Type.Array(Id, { maxItems: 10_000 }) }),
]);

export const ListAudience = internal({
  name: 'ListAudience',
  owner: 'inbox',
  means:
    'Pages of the people whom a profile may write to: of its own contacts and those of the whole organization. Contacts made after ' +
    '`asOf` are left out; names are as they are now. A person who is known by phone and by LID, as the contact of the profile and ' +
    'of the organization, is listed once: under the id of the own contact, with what only the other one says beside it, blocked when either is. ' +
    'Each page looks at `limit` contacts, so that it may hold fewer items, or none, before the end. Contacts that are ' +
    "unknown, another organization's or another profile's are left out.",
  body: closed({
    organizationId: Id,
    profileId: Id,
    recipients: Chosen,
    asOf: Timestamp,
    after: Type.Optional(
      Type.String({ maxLength: 512, description: '`next` of the page before; absent for the first' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 1000 }),
  }),
  answer: closed({
    items: Type.Array(
      closed({
        contactId: Id,
        jid: { ...Jid, description: '`<digits>@c.us`, or `<id>@lid` for those known by LID only' },
        phone: nullable(Type.String({ description: 'Digits' })),
        lid: nullable(Type.String({ description: '`<id>@lid`' })),
        name: nullable(Type.String({ description: 'By which the contact was saved' })),
        pushName: nullable(Type.String({ description: 'Which the person gave on the network' })),
        blocked: Type.Boolean(),
        metadata: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    next: nullable(Type.String({ description: 'Null at the end' })),
  }),
  timeoutMs: 30_000,
});

/** Somebody, as a profile meets them: a phone's JID or a LID. */
const Somebody = closed({ organizationId: Id, profileId: Id, jid: Jid });

export const DescribePerson = internal({
  name: 'DescribePerson',
  owner: 'inbox',
  means:
    "What a profile knows of a person: its own contact first, then the organization's. Of somebody who is no contact, and of a group: nulls, and " +
    'neither tags nor metadata. Whether a human has taken over the chat is told of anybody.',
  body: Somebody,
  answer: closed({
    contactId: nullable(Id),
    name: nullable(Type.String({ description: 'By which the contact was saved' })),
    pushName: nullable(Type.String({ description: 'Which the person gave on the network' })),
    phone: nullable(Type.String({ description: 'Digits' })),
    lid: nullable(Type.String({ description: '`<id>@lid`' })),
    tags: Type.Array(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    blocked: Type.Boolean(),
    conversationId: Type.Optional(
      nullable({
        ...Id,
        description: 'Of the chat of the profile with the person, or of the group; null: there is none',
      }),
    ),
    handoverUntil: Type.Optional(
      nullable({
        ...Timestamp,
        description:
          'Until when nothing automatic answers in that chat, as a human has taken over: exact at this moment. Null: automation answers',
      }),
    ),
  }),
});

export const NamesOfPerson = internal({
  name: 'NamesOfPerson',
  owner: 'inbox',
  means:
    'The names under which the network knows a person, as far as any profile of the organization has learnt them: the one that was ' +
    'asked for first, then phones and LIDs.',
  body: Somebody,
  answer: closed({ jids: Type.Array(Jid) }),
});

export const NamesOfPeople = internal({
  name: 'NamesOfPeople',
  owner: 'inbox',
  means:
    'The same for many at once, without a profile: for each of the given names, in their order, all names of that person.',
  body: closed({ organizationId: Id, jids: Type.Array(Jid, { maxItems: 1000 }) }),
  answer: closed({
    people: Type.Array(
      closed({
        phones: Type.Array(Type.String({ description: 'Digits' })),
        lids: Type.Array(Type.String({ description: '`<id>@lid`' })),
      }),
    ),
  }),
});

export const ChangeTags = internal({
  name: 'ChangeTags',
  owner: 'inbox',
  means:
    'Adds tags to the contact of a person, as `DescribePerson` names it, and takes tags off all contacts of the person that the profile sees. ' +
    'Somebody who is no contact becomes one of the profile when tags are added. A tag in both lists is added. Once for each `once`. ' +
    'VALIDATION_ERROR names `body.add` when that would be more than 100 tags, and `body.jid` for a group.',
  body: closed({
    ...Somebody.properties,
    add: Tags,
    remove: Tags,
    actor: Type.String({ description: 'On whose behalf: `user:…`, `api_key:…` or `service:…`' }),
    once: Id,
  }),
  answer: closed({ contactId: nullable(Id), tags: Type.Array(Type.String()) }),
});
