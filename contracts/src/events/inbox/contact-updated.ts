import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, closed, nullable, oneOf } from '../../shapes.ts';

export const ContactUpdated = event({
  type: 'contact.updated',
  version: 2,
  owner: 'inbox',
  visibility: 'public',
  means: 'A contact was made, changed or deleted; it stands as told here. What history brings is told to nobody.',
  data: closed({
    id: Id,
    change: oneOf(['created', 'updated', 'deleted']),
    profileId: nullable(Id),
    phone: Type.Optional(nullable(Type.String())),
    lid: Type.Optional(nullable(Type.String())),
    name: Type.Optional(nullable(Type.String())),
    pushName: Type.Optional(nullable(Type.String())),
    tags: Type.Optional(Type.Array(Type.String())),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    blocked: Type.Optional(Type.Boolean()),
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
