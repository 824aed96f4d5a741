import { Type } from 'typebox';
import { lastingLimits, operation } from '../../contract.ts';
import { ConnectionStatus } from '../../events/sessions/connection.ts';
import { Id, Recipient, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';
import { ConnectResult, StatusReason, idParams } from './shapes.ts';

/** Languages that the page for linking has texts in. */
export const linkPageLanguages = ['de', 'en', 'es', 'id', 'pt'] as const;
const Language = oneOf(linkPageLanguages, {
  description: "Language of the page. Default: the browser's, else English",
});

export const CreateLinkPage = operation({
  name: 'CreateLinkPage',
  owner: 'sessions',
  method: 'POST',
  path: '/profiles/:id/link-page',
  access: 'profile:connect',
  refusesKeysLimitedIn: lastingLimits,
  tag: 'Profiles',
  audit: 'profile.link_page',
  summary: 'Make a page for linking',
  means:
    'A URL for whoever holds the phone: a page that connects the profile, shows the QR code and its successors, takes a phone number for a pairing ' +
    'code, and says how it ended. It needs no credential, is for this profile alone, and ends at its time or when it is withdrawn. ' +
    'Of the organization it shows the name of the profile, nothing else. 20 pages of a profile are open at the same time, at most.',
  params: idParams,
  body: closed({
    expiresInMinutes: Type.Integer({ minimum: 1, maximum: 10_080, description: 'At most a week' }),
    returnUrl: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'Where the page leads once the profile is connected: https, with `WEBHOOK_ALLOW_PRIVATE_TARGETS` also http; without user and password',
      }),
    ),
    language: Type.Optional(Language),
  }),
  answers: {
    201: {
      body: closed({
        id: Id,
        url: Type.String({ description: 'Open to everybody who knows it. It is told here only' }),
        expiresAt: Timestamp,
      }),
      means: 'The page is there.',
    },
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'QUOTA_REACHED'],
  example: { expiresInMinutes: 60, returnUrl: 'https://app.example.com/linked', language: 'en' },
});

export const ListLinkPages = operation({
  name: 'ListLinkPages',
  owner: 'sessions',
  method: 'GET',
  path: '/profiles/:id/link-page',
  access: 'profile:connect',
  tag: 'Profiles',
  summary: 'List the open pages for linking',
  means:
    'The pages of the profile that can be opened now, the one that ends first at the beginning. Their URLs are not kept: a page whose URL may have come into ' +
    'the wrong hands is withdrawn by its id.',
  params: idParams,
  answers: {
    200: {
      body: closed({
        items: Type.Array(
          closed({
            id: Id,
            userId: Type.String({ format: 'uuid', description: 'Who made it, or whose API key' }),
            expiresAt: Timestamp,
            returnUrl: nullable(Type.String({ description: 'Where the page leads once the profile is connected' })),
            language: nullable(Language),
          }),
        ),
      }),
      means: 'All of them, 20 at most.',
    },
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const DeleteLinkPage = operation({
  name: 'DeleteLinkPage',
  owner: 'sessions',
  method: 'DELETE',
  path: '/profiles/:id/link-page/:linkPageId',
  access: 'profile:connect',
  tag: 'Profiles',
  audit: { action: 'profile.withdraw_link_page', resourceParameter: 'id' },
  summary: 'Withdraw a page for linking',
  means: 'The URL leads nowhere any more. A connection that was begun there goes on.',
  params: closed({ id: Id, linkPageId: Id }),
  answers: { 204: { means: 'The page is withdrawn.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

/** Token behind the `#` of a page's URL, so that it is in no log. */
const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'From the URL of the page' });

export const ReadLinkPage = operation({
  name: 'ReadLinkPage',
  owner: 'sessions',
  method: 'POST',
  path: '/link-pages/state',
  access: 'public',
  audit: false,
  tag: 'Profiles',
  summary: 'What a page for linking shows',
  means:
    'For the page itself: a body, since a path would be in logs. With `seen`, the `version` of the last answer, the answer waits for something new. ' +
    '404 when there is no such page, or none any more.',
  body: closed({
    token: Token,
    seen: Type.Optional(Type.String({ maxLength: 64, description: '`version` of the last answer' })),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 0, description: 'Seconds' })),
  }),
  waits: true,
  timeoutMs: 35_000,
  answers: {
    200: {
      body: closed({
        version: Type.String(),
        name: Type.String({ description: 'Of the profile' }),
        status: ConnectionStatus,
        statusReason: nullable(StatusReason),
        qrCode: nullable(Type.String({ description: 'A PNG data URL' })),
        expiresInMs: Type.Integer({ minimum: 0, description: 'Until the page ends, milliseconds' }),
        returnUrl: nullable(Type.String({ description: 'Where the page leads once the profile is connected' })),
        language: nullable(Language),
      }),
      means: 'What holds now.',
    },
  },
  errors: ['NOT_FOUND'],
  example: { token: 'A'.repeat(43), wait: 25 },
});

export const ConnectLinkPage = operation({
  name: 'ConnectLinkPage',
  owner: 'sessions',
  method: 'POST',
  path: '/link-pages/connect',
  access: 'public',
  audit: false,
  tag: 'Profiles',
  summary: 'Start the connection from a page for linking',
  means:
    'As connect of the profile, for whoever has the page. With `phoneNumber` the answer holds a pairing code. So many times in ten minutes: 20, with a number 5.',
  body: closed({ token: Token, phoneNumber: Type.Optional(Recipient) }),
  answers: { 202: { body: ConnectResult, means: 'The connection is being made, or there already.' } },
  errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_REACHED', 'ENGINE_UNSUPPORTED', 'ENGINE_TIMEOUT'],
  timeoutMs: 45_000,
  example: { token: 'A'.repeat(43) },
});
