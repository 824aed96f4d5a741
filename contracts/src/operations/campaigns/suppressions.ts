import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed, nullable, page, pageQuery } from '../../shapes.ts';
import { ImportResult } from '../inbox/contacts/import-contacts.ts';
import { Phone } from '../inbox/contacts/shapes.ts';

const Reason = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f]*$',
  description: 'Why, for people; one line',
});

/** A person who gets nothing that is sent to many, whatever profile sends it. */
export const Suppression = closed(
  {
    id: Id,
    phone: nullable(
      Type.String({
        description:
          'Digits; null when the person is known by LID only, or when the contact was deleted: both stay on the list',
      }),
    ),
    reason: nullable(Type.String({ description: '`opt-out: <word>` when the person said so; null: none was given' })),
    createdAt: Timestamp,
  },
  { title: 'Suppression' },
);

/** An item of a file. */
export const ImportedSuppression = closed(
  { phone: Phone, reason: Type.Optional(Reason) },
  { title: 'ImportedSuppression' },
);

const common = {
  owner: 'campaigns',
  tag: 'Suppressions',
  refusesKeysLimitedIn: ['profiles'],
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
} as const;

const example = {
  id: '0198c0de-0000-5000-8000-000000000001',
  phone: '4915112345678',
  reason: 'opt-out: STOP',
  createdAt: '2026-01-01T00:00:00.000Z',
};

export const ListSuppressions = operation({
  ...common,
  name: 'ListSuppressions',
  method: 'GET',
  path: '/suppressions',
  access: 'contact:read',
  summary: 'List',
  means:
    'Who is on the list of the organization, the newest first. It is about people of all profiles: API keys that are limited to ' +
    'some are refused.',
  query: closed({
    ...pageQuery,
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the phone or of the reason' }),
    ),
  }),
  answers: { 200: { body: page(Suppression), means: 'A page of the list.' } },
});

export const CreateSuppression = operation({
  ...common,
  name: 'CreateSuppression',
  method: 'POST',
  path: '/suppressions',
  access: 'contact:update',
  summary: 'Add a phone',
  means:
    'Broadcasts of all profiles leave this person out from now on, those that run too, whether they know the person by phone or ' +
    'by LID. Who is on the list already stays there as they are.',
  body: closed({ phone: Phone, reason: Type.Optional(Reason) }),
  answers: {
    201: { body: Suppression, means: 'The person is on the list now.', example },
    200: { body: Suppression, means: 'The person was on the list.', example },
  },
  example: { phone: '+49 151 12345678', reason: 'asked by mail' },
});

export const DeleteSuppression = operation({
  ...common,
  name: 'DeleteSuppression',
  method: 'DELETE',
  path: '/suppressions/:id',
  access: 'contact:update',
  summary: 'Take off the list',
  means: 'Broadcasts may go to this person again.',
  params: closed({ id: Id }),
  answers: { 204: { means: 'The person is no longer on the list.' } },
  errors: [...common.errors, 'NOT_FOUND'],
});

export const ImportSuppressionsCsv = operation({
  ...common,
  name: 'ImportSuppressionsCsv',
  method: 'POST',
  path: '/suppressions/import/csv',
  access: 'contact:update',
  audit: { action: 'suppression.import', resourceParameter: null },
  summary: 'Import from CSV',
  means:
    'Adds the phones of a file: columns `phone` and `reason`, in any order, named by the first line; that of the export beside them ' +
    'is left alone. The file may be what `POST /contacts/import/csv` takes: as JSON, as a body of `text/csv`, which is streamed, or as ' +
    '`multipart/form-data` with the file in `file`. Who is on the list already is counted as updated; a reason that is given replaces ' +
    'theirs. What is wrong with a line does not stop the others; a file that breaks off half way has imported what came before.',
  body: closed({ csv: Type.String() }),
  bodyLimit: 'media',
  pieces: { field: 'csv', contentType: 'text/csv', fileField: 'file' },
  answers: { 200: { body: ImportResult, means: 'What was made, what was there, and what was wrong.' } },
  timeoutMs: 60_000,
  example: { csv: 'phone,reason\n4915112345678,asked by mail\n' },
});

export const ExportSuppressionsCsv = operation({
  ...common,
  name: 'ExportSuppressionsCsv',
  method: 'GET',
  path: '/suppressions/export/csv',
  access: 'contact:read',
  summary: 'Export as CSV',
  means:
    'Streams the list as CSV (RFC 4180), the oldest first: columns `phone`, `reason`, `createdAt`. Cells that begin with `=`, `+`, ' +
    "`-` or `@` get a leading `'`, so that no spreadsheet runs them; the import takes it off again. Entries without a phone are left out.",
  query: closed({
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Begins after this place' })),
  }),
  answers: {
    200: { body: closed({ text: Type.String(), nextCursor: nullable(Type.String()) }), means: 'The file.' },
  },
  pages: { cursorQuery: 'cursor', contentType: 'text/csv', filename: 'suppressions.csv' },
});
