import {
  Base64Media,
  Count,
  Id,
  MediaUrl,
  closed,
  nullable,
  operation,
  type Operation,
} from '@messaging-gateway/contracts';
import { Type } from 'typebox';

const Thing = closed({ id: Id, name: Type.String(), repeated: Type.Boolean() });
const base = { owner: 'insights', tag: 'Things', means: 'For tests.' } as const;
const params = closed({ id: Id });

const ListThings = operation({
  ...base,
  name: 'ListThings',
  compressed: true,
  method: 'GET',
  path: '/things',
  access: 'profile:read',
  summary: 'List things',
  query: closed({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    archived: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
  }),
  answers: {
    200: { body: closed({ query: Type.Unknown(), after: Type.Array(Type.String()) }), means: 'What was asked.' },
  },
});

const CreateThing = operation({
  ...base,
  name: 'CreateThing',
  method: 'POST',
  path: '/things',
  access: 'message:send',
  summary: 'Create a thing',
  body: closed({ name: Type.String({ minLength: 1 }) }),
  answers: { 201: { body: Thing, means: 'Made.' } },
  timeoutMs: 60_000,
  example: { name: 'one' },
});

const SendThing = operation({
  ...base,
  name: 'SendThing',
  method: 'POST',
  path: '/things/send',
  access: 'message:send',
  summary: 'Send a thing',
  body: closed({ name: Type.String() }),
  bodyLimit: 'media',
  answers: { 200: { body: closed({ length: Count }), envelope: 'data', means: 'Sent.' } },
  example: { name: 'one' },
});

const GetThing = operation({
  ...base,
  name: 'GetThing',
  method: 'GET',
  path: '/things/:id',
  access: 'profile:read',
  summary: 'Get a thing',
  params,
  answers: { 200: { body: Thing, means: 'The thing.' } },
});

const DeleteThing = operation({
  ...base,
  name: 'DeleteThing',
  method: 'DELETE',
  path: '/things/:id',
  access: 'own:write',
  summary: 'Delete a thing',
  params,
  answers: { 204: { means: 'Gone.' } },
});

const StartThing = operation({
  ...base,
  name: 'StartThing',
  method: 'POST',
  path: '/things/:id/start',
  access: 'own',
  summary: 'Start a thing',
  params,
  answers: { 202: { body: closed({ status: Type.String() }), means: 'Started.' } },
});

const OpenThing = operation({
  ...base,
  name: 'OpenThing',
  method: 'POST',
  path: '/open-things',
  access: 'public',
  summary: 'Make a thing without a credential',
  body: closed({ name: Type.String() }),
  answers: { 201: { body: Thing, means: 'Made.' } },
  example: { name: 'one' },
});

const FeedThings = operation({
  ...base,
  name: 'FeedThings',
  method: 'GET',
  path: '/feed',
  access: 'webhook:manage',
  summary: 'News of things',
  query: closed({
    after: Type.Optional(Type.String()),
    before: Type.Optional(Type.String()),
    wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30 })),
  }),
  answers: {
    200: {
      body: closed({
        items: Type.Array(closed({ id: Type.String(), kind: Type.String() })),
        nextCursor: nullable(Type.String()),
      }),
      means: 'What is new.',
    },
  },
  stream: { cursorQuery: 'after', waitQuery: 'wait', backQuery: 'before', idField: 'id', eventField: 'kind' },
});

const WatchThings = operation({
  ...base,
  name: 'WatchThings',
  method: 'GET',
  path: '/watch',
  access: 'own',
  summary: 'News of things, for people',
  query: FeedThings.query,
  answers: FeedThings.answers,
  stream: {
    cursorQuery: 'after',
    waitQuery: 'wait',
    idField: 'id',
    heartbeat: true,
    atMost: { organization: 5, credential: 2 },
  },
});

const SendPictures = operation({
  ...base,
  name: 'SendPictures',
  method: 'POST',
  path: '/pictures',
  access: 'message:send',
  summary: 'Send pictures',
  body: closed({
    pictures: Type.Array(
      closed({
        name: Type.String(),
        content: Type.Union([
          closed({ base64: Base64Media('image'), mimetype: Type.Optional(Type.String()) }),
          closed({ url: MediaUrl }),
        ]),
      }),
    ),
  }),
  bodyLimit: 'media',
  answers: { 200: { body: closed({ sent: Count }), means: 'Sent.' } },
  example: { pictures: [] },
});

export const testOperations: readonly Operation[] = [
  ListThings,
  CreateThing,
  GetThing,
  SendThing,
  DeleteThing,
  StartThing,
  OpenThing,
  FeedThings,
  WatchThings,
  SendPictures,
];
