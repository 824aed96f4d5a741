import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Count, Id, closed } from '../../../shapes.ts';

/** The result of an import. */
export const ImportResult = closed(
  {
    created: Count,
    updated: Count,
    failed: Count,
    errors: Type.Array(closed({ line: Type.Integer({ minimum: 1 }), message: Type.String() }), {
      description: 'The first 1000',
    }),
  },
  { title: 'ImportResult' },
);

const importing = {
  owner: 'inbox',
  method: 'POST',
  access: 'contact:import',
  tag: 'Contacts',
  bodyLimit: 'media',
  answers: { 200: { body: ImportResult, means: 'What was made, what was changed, and what was wrong.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  timeoutMs: 60_000,
} as const;

export const ImportContacts = operation({
  ...importing,
  name: 'ImportContacts',
  path: '/contacts/import',
  audit: { action: 'contact.import', resourceParameter: null },
  summary: 'Import',
  means:
    'Makes contacts, or changes those that are there as `POST /contacts` does. What is wrong with one does not stop the ' +
    'others: `line` counts the items from 1. A list that breaks off half way has imported what came before. JSON may hold ' +
    '100,000 values; what is more comes as CSV.',
  body: closed({
    profileId: Type.Optional(Id),
    contacts: Type.Array(
      Type.Object(
        {},
        {
          description: '`phone`, `name`, `tags`, `metadata`, `blocked`, as in `POST /contacts`',
          additionalProperties: true,
        },
      ),
    ),
  }),
  pieces: { field: 'contacts' },
  example: { contacts: [{ phone: '4915112345678', name: 'Ada', tags: ['customer'] }] },
});

export const ImportContactsCsv = operation({
  ...importing,
  name: 'ImportContactsCsv',
  path: '/contacts/import/csv',
  audit: { action: 'contact.import', resourceParameter: null },
  summary: 'Import from CSV',
  means:
    'The same from CSV: columns `phone`, `name`, `tags` (separated by `;`) and `metadata` (JSON), in any order, named by ' +
    'the first line. Cells are separated by commas, semicolons or tabs, as that line (or `sep=;` before it) has them; the text is UTF-8, with or ' +
    'without a byte order mark. As JSON, as a body of `text/csv`, which is streamed and has its profile in the query, or as ' +
    '`multipart/form-data` with the file in `file`. `line` is that of the file. An empty cell leaves the ' +
    'field as it is, and a file leaves `blocked` as it is.',
  query: closed({ profileId: Type.Optional(Id) }),
  body: closed({ profileId: Type.Optional(Id), csv: Type.String() }),
  pieces: { field: 'csv', contentType: 'text/csv', fileField: 'file' },
  example: { csv: 'phone,name,tags\n4915112345678,Ada,customer;vip\n' },
});
