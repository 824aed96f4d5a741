import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed, nullable } from '../../../shapes.ts';

export const ExportContactsCsv = operation({
  name: 'ExportContactsCsv',
  owner: 'inbox',
  method: 'GET',
  path: '/contacts/export/csv',
  access: 'contact:export',
  tag: 'Contacts',
  summary: 'Export as CSV',
  means:
    'Streams contacts as CSV (RFC 4180) with the columns that the import takes. Cells that begin with `=`, `+`, `-` or `@` get ' +
    "a leading `'`, so that no spreadsheet runs them; the import takes it off again. Those without a phone are left out, and so is `blocked`.",
  query: closed({
    profileId: Type.Optional(Id),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Begins after this place' })),
  }),
  answers: {
    200: { body: closed({ text: Type.String(), nextCursor: nullable(Type.String()) }), means: 'The file.' },
  },
  pages: { cursorQuery: 'cursor', contentType: 'text/csv', filename: 'contacts.csv' },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
