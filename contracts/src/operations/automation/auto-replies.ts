import { Type, type Static } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed, oneOf, page, pageQuery } from '../../shapes.ts';

const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: String.raw`\S` }), {
  minItems: 1,
  maxItems: 100,
  description: 'Any of them; case does not count',
});
const MatchMode = oneOf(['exact', 'contains', 'startsWith'], {
  description: 'Whether the whole text is a keyword, has one in it, or begins with one',
});
const Response = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'With `{{name}}`, `{{phone}}`, `{{match}}`, `{{message}}` and `{{metadata.<key>}}`',
});
const Cooldown = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  description: 'Seconds in which it answers nobody a second time',
});
const privateOnly = { description: 'Keeps still in groups' };
const enabled = { description: 'Whether it answers' };

const fields = {
  keywords: Keywords,
  matchMode: MatchMode,
  response: Response,
  enabled: Type.Boolean(enabled),
  privateOnly: Type.Boolean(privateOnly),
  cooldownSeconds: Cooldown,
};

export const AutoReply = closed(
  { id: Id, profileId: Id, ...fields, createdAt: Timestamp, updatedAt: Timestamp },
  { title: 'AutoReply' },
);
/** A rule's conditions and answer, as they are kept. */
export type AutoReplyFields = Static<ReturnType<typeof closed<typeof fields>>>;

const example = {
  id: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  keywords: ['hours', 'open'],
  matchMode: 'contains',
  response: 'Hello {{name|there}}, we are open from 9 to 5.',
  enabled: true,
  privateOnly: true,
  cooldownSeconds: 60,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

const common = { owner: 'automation', tag: 'Auto-reply', errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] } as const;
const params = closed({ id: Id });
const answers = { 200: { body: AutoReply, means: 'The rule.', example } };

export const CreateAutoReply = operation({
  ...common,
  name: 'CreateAutoReply',
  method: 'POST',
  path: '/autoreply',
  access: 'automation:create',
  summary: 'Create a rule',
  means:
    'A text that answers messages with a keyword, after flows and in the order in which the rules were made; the first that matches ' +
    'answers. 200 rules for a profile.',
  body: closed({
    profileId: Id,
    keywords: Keywords,
    matchMode: Type.Optional({ ...MatchMode, default: 'contains' }),
    response: Response,
    enabled: Type.Optional(Type.Boolean({ ...enabled, default: true })),
    privateOnly: Type.Optional(Type.Boolean({ ...privateOnly, default: true })),
    cooldownSeconds: Type.Optional({ ...Cooldown, default: 60 }),
  }),
  answers: { 201: { body: AutoReply, means: 'The rule is made.', example } },
  errors: [...common.errors, 'QUOTA_REACHED'],
  example: { profileId: example.profileId, keywords: example.keywords, response: example.response },
});

export const ListAutoReplies = operation({
  ...common,
  name: 'ListAutoReplies',
  method: 'GET',
  path: '/autoreply',
  access: 'automation:read',
  summary: 'List rules',
  means: 'In the order in which they are asked. A key limited to some profiles sees those of these.',
  query: closed({ ...pageQuery, profileId: Type.Optional(Id) }),
  answers: {
    200: {
      body: page(AutoReply),
      means: 'A page of rules.',
      example: { items: [example], nextCursor: null, total: 1 },
    },
  },
});

export const GetAutoReply = operation({
  ...common,
  name: 'GetAutoReply',
  method: 'GET',
  path: '/autoreply/:id',
  access: 'automation:read',
  summary: 'Get a rule',
  means: 'One rule.',
  params,
  answers,
});

export const UpdateAutoReply = operation({
  ...common,
  name: 'UpdateAutoReply',
  method: 'PUT',
  path: '/autoreply/:id',
  access: 'automation:update',
  summary: 'Change a rule',
  means: 'Changes the fields that are given. A rule stays with its profile.',
  params,
  body: closed({
    keywords: Type.Optional(Keywords),
    matchMode: Type.Optional(MatchMode),
    response: Type.Optional(Response),
    enabled: Type.Optional(Type.Boolean(enabled)),
    privateOnly: Type.Optional(Type.Boolean(privateOnly)),
    cooldownSeconds: Type.Optional(Cooldown),
  }),
  answers,
  example: { response: 'We are open from 9 to 6.' },
});

export const ToggleAutoReply = operation({
  ...common,
  name: 'ToggleAutoReply',
  method: 'PUT',
  path: '/autoreply/:id/toggle',
  access: 'automation:update',
  summary: 'Turn a rule on or off',
  means: 'Turns it off when it is on, and on when it is off.',
  params,
  answers,
});

export const DeleteAutoReply = operation({
  ...common,
  name: 'DeleteAutoReply',
  method: 'DELETE',
  path: '/autoreply/:id',
  access: 'automation:delete',
  summary: 'Delete a rule',
  means: 'It answers nothing any more.',
  params,
  answers: { 204: { means: 'The rule is gone.' } },
});
