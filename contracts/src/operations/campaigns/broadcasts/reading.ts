import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, afterEvent, closed, nullable, page, pageQuery } from '../../../shapes.ts';
import {
  Broadcast,
  BroadcastRecipient,
  BroadcastStats,
  BroadcastStatus,
  RecipientStatus,
  broadcastErrors,
  broadcastExample,
  broadcastParams,
  statsExample,
} from './shapes.ts';

const shared = { owner: 'campaigns', method: 'GET', access: 'broadcast:read', tag: 'Broadcasts' } as const;

export const GetBroadcast = operation({
  ...shared,
  name: 'GetBroadcast',
  path: '/broadcast/:id',
  summary: 'Get a broadcast',
  means:
    'With its statistics, why it waits and when it goes on by itself, and the forecast of one that runs or is paused.',
  params: broadcastParams,
  query: closed(afterEvent),
  answers: { 200: { body: Broadcast, means: 'The broadcast.', example: broadcastExample } },
  errors: broadcastErrors,
});

export const ListBroadcasts = operation({
  ...shared,
  name: 'ListBroadcasts',
  path: '/broadcast',
  summary: 'List broadcasts',
  means: 'Broadcasts of the organization, the newest first.',
  compressed: true,
  query: closed({
    ...pageQuery,
    profileId: Type.Optional(Id),
    status: Type.Optional(BroadcastStatus),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'In the name, ignoring case' })),
  }),
  answers: { 200: { body: page(Broadcast), means: 'A page of broadcasts.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const GetBroadcastStats = operation({
  ...shared,
  name: 'GetBroadcastStats',
  path: '/broadcast/:id/stats',
  summary: 'Statistics of a broadcast',
  means:
    'Exact at any moment: total = sent + failed + pending + skipped + cancelled. With variants, those of each; `replied` counts each person ' +
    'once who writes to the profile within 72 hours of the message.',
  params: broadcastParams,
  query: closed(afterEvent),
  answers: { 200: { body: BroadcastStats, means: 'The statistics.', example: statsExample } },
  errors: broadcastErrors,
});

const recipientFilter = {
  status: Type.Optional(RecipientStatus),
  variant: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Name of a variant' })),
};

export const ListBroadcastRecipients = operation({
  ...shared,
  name: 'ListBroadcastRecipients',
  path: '/broadcast/:id/recipients',
  summary: 'Recipients of a broadcast',
  means:
    'What became of each, in the order in which they are sent to; empty before the start. Whoever was left out is `cancelled`, with ' +
    '`error.code` `SUPPRESSED`, `BLOCKED` or `CONTACT_DELETED`.',
  params: broadcastParams,
  query: closed({ ...pageQuery, ...recipientFilter }),
  answers: { 200: { body: page(BroadcastRecipient), means: 'A page of recipients.' } },
  errors: broadcastErrors,
});

export const ExportBroadcastRecipients = operation({
  ...shared,
  name: 'ExportBroadcastRecipients',
  path: '/broadcast/:id/recipients/csv',
  summary: 'Recipients as CSV',
  means:
    'Streams `contactId,phone,name,status,variant,messageId,attempts,error` (RFC 4180), `error` being the code. Cells that begin with `=`, ' +
    "`+`, `-` or `@` get a leading `'`, so that no spreadsheet runs them.",
  params: broadcastParams,
  query: closed({
    ...recipientFilter,
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Begins after this place' })),
  }),
  answers: {
    200: { body: closed({ text: Type.String(), nextCursor: nullable(Type.String()) }), means: 'The file.' },
  },
  pages: { cursorQuery: 'cursor', contentType: 'text/csv', filename: 'recipients.csv' },
  errors: broadcastErrors,
});
