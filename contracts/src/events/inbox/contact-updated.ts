import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, closed, nullable, oneOf } from '../../shapes.ts';

export const ContactUpdated = event({
  type: 'contact.updated',
  version: 3,
  owner: 'inbox',
  visibility: 'public',
  means:
    'A contact was created, changed or deleted. The data are the contact after the change. Changes that come with the history of a phone are not published. ' +
    '`number`: the person has another phone number; the contact keeps its id.',
  data: closed({
    id: Id,
    change: oneOf(['created', 'updated', 'deleted', 'number']),
    profileId: nullable(Id),
    phone: Type.Optional(nullable(Type.String())),
    lid: Type.Optional(nullable(Type.String())),
    name: Type.Optional(nullable(Type.String())),
    pushName: Type.Optional(nullable(Type.String())),
    tags: Type.Optional(Type.Array(Type.String())),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    blocked: Type.Optional(Type.Boolean()),
    previousPhone: Type.Optional(
      Type.String({ description: 'With `number`: digits of the phone number that the person had before' }),
    ),
    mergedInto: Type.Optional({ ...Id, description: 'Of a deleted one: the contact as which the person goes on' }),
  }),
  example: {
    id: '0198c0de-0000-5000-8000-000000000001',
    change: 'created',
    profileId: '0198c0de-0000-7000-8000-000000000002',
    phone: '4915112345678',
    lid: null,
    name: null,
    pushName: 'Ada',
    tags: [],
    metadata: {},
    blocked: false,
  },
});
