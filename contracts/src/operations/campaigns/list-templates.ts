import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, MessageType, closed, page, pageQuery } from '../../shapes.ts';
import { Template, TemplateCategory, templateExample } from './template.ts';

export const ListTemplates = operation({
  name: 'ListTemplates',
  owner: 'campaigns',
  method: 'GET',
  path: '/templates',
  access: 'template:read',
  tag: 'Templates',
  summary: 'List templates',
  means:
    'Templates, the newest first. A key limited to some profiles sees those of these and the ones that all may use.',
  query: closed({
    ...pageQuery,
    profileId: Type.Optional({ ...Id, description: 'Those that belong to this profile' }),
    category: Type.Optional(TemplateCategory),
    messageType: Type.Optional(MessageType),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, in any case' })),
  }),
  answers: {
    200: {
      body: page(Template),
      means: 'A page of templates.',
      example: { items: [templateExample], nextCursor: null, total: 1 },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
