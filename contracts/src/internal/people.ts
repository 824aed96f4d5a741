import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, closed } from '../shapes.ts';

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
