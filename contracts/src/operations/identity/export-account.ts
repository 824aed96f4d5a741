import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, nullable, Timestamp } from '../../shapes.ts';

export const ExportAccount = operation({
  name: 'ExportAccount',
  owner: 'identity',
  method: 'GET',
  path: '/account/export',
  access: 'own',
  refusesKeysLimitedIn: ['permissions', 'profiles'],
  tag: 'Personal data',
  summary: 'Export personal data',
  means:
    'Streams one JSON document of all that is held about the user, `{ exportedAt, sections: { <name>: [ … ] } }`: what ' +
    '`DELETE /account/delete` would erase, so an only member is given all that the organization has. Secrets are left out. ' +
    'Each `nextCursor` of the answer is used by the gateway; clients read the document as one.',
  query: closed({
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Begins after this place' })),
  }),
  answers: {
    200: { body: closed({ text: Type.String(), nextCursor: nullable(Type.String()) }), means: 'The document.' },
  },
  pages: {
    cursorQuery: 'cursor',
    contentType: 'application/json',
    filename: 'personal-data.json',
    document: closed({ exportedAt: Timestamp, sections: Type.Record(Type.String(), Type.Array(Type.Unknown())) }),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
