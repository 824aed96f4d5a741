import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Timestamp, closed, nullable, page, pageQuery } from '../../shapes.ts';

const Shortcut = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: String.raw`^\S+$`,
  description: 'What somebody types to get it, without blanks; case counts',
});
const Title = Type.String({ minLength: 1, maxLength: 200 });
const Message = Type.String({ minLength: 1, maxLength: 65_536, description: 'The text' });

export const QuickReply = closed(
  {
    id: Id,
    profileId: nullable({ ...Id, description: 'Null: for all profiles' }),
    shortcut: Shortcut,
    title: Title,
    message: Message,
    createdAt: Timestamp,
  },
  { title: 'QuickReply' },
);

const example = {
  id: '0198c0de-0000-5000-8000-000000000001',
  profileId: null,
  shortcut: '/thanks',
  title: 'Thanks',
  message: 'Thank you, we will write to you today.',
  createdAt: '2026-01-01T10:00:00.000Z',
};

const common = { owner: 'automation', tag: 'Auto-reply', errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] } as const;

export const CreateQuickReply = operation({
  ...common,
  name: 'CreateQuickReply',
  method: 'POST',
  path: '/autoreply/quick-replies',
  access: 'automation:create',
  summary: 'Create a quick reply',
  means:
    'A text that clients offer to people who write; nothing is sent by itself. The shortcut is unique in its profile, and among those ' +
    'of all profiles (409).',
  body: closed({ profileId: Type.Optional(nullable(Id)), shortcut: Shortcut, title: Title, message: Message }),
  answers: { 201: { body: QuickReply, means: 'It is made.', example } },
  errors: [...common.errors, 'CONFLICT', 'QUOTA_REACHED'],
  example: { shortcut: example.shortcut, title: example.title, message: example.message },
});

export const ListQuickReplies = operation({
  ...common,
  name: 'ListQuickReplies',
  method: 'GET',
  path: '/autoreply/quick-replies',
  access: 'automation:read',
  summary: 'List quick replies',
  means: 'By their shortcuts. With `profileId`: those of the profile and those of all profiles.',
  query: closed({ ...pageQuery, profileId: Type.Optional(Id) }),
  answers: {
    200: {
      body: page(QuickReply),
      means: 'A page of them.',
      example: { items: [example], nextCursor: null, total: 1 },
    },
  },
});

export const UpdateQuickReply = operation({
  ...common,
  name: 'UpdateQuickReply',
  method: 'PUT',
  path: '/autoreply/quick-replies/:id',
  access: 'automation:update',
  summary: 'Change a quick reply',
  means: 'Changes the fields that are given. Shortcut and profile stay: they are what it is known by.',
  params: closed({ id: Id }),
  body: closed({ title: Type.Optional(Title), message: Type.Optional(Message) }),
  answers: {
    200: {
      body: QuickReply,
      means: 'As it is now.',
      example: { ...example, message: 'Thank you, we will write to you tomorrow.' },
    },
  },
  example: { message: 'Thank you, we will write to you tomorrow.' },
});

export const DeleteQuickReply = operation({
  ...common,
  name: 'DeleteQuickReply',
  method: 'DELETE',
  path: '/autoreply/quick-replies/:id',
  access: 'automation:delete',
  summary: 'Delete a quick reply',
  means: 'Its shortcut is free again.',
  params: closed({ id: Id }),
  answers: { 204: { means: 'It is gone.' } },
});
