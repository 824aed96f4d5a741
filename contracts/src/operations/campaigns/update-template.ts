import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, MessageType, closed, nullable } from '../../shapes.ts';
import { templateErrors } from './create-template.ts';
import {
  AnyTemplateContent,
  Template,
  TemplateCategory,
  TemplateName,
  templateExample,
  templateParams,
} from './template.ts';

export const UpdateTemplate = operation({
  name: 'UpdateTemplate',
  owner: 'campaigns',
  method: 'PUT',
  path: '/templates/:id',
  access: 'template:update',
  tag: 'Templates',
  summary: 'Change a template',
  means:
    'Changes the fields given; `content` is replaced as a whole. With either of `messageType` and `content` both must fit each other ' +
    'afterwards. `profileId` null: every profile may use it. What was accepted before goes out as it was. A key limited to some profiles ' +
    'may not change what all may use.',
  params: templateParams,
  body: closed({
    profileId: Type.Optional(nullable(Id)),
    name: Type.Optional(TemplateName),
    category: Type.Optional(TemplateCategory),
    messageType: Type.Optional(MessageType),
    content: Type.Optional(AnyTemplateContent),
  }),
  bodyLimit: 'media',
  answers: { 200: { body: Template, means: 'The template as it is now.', example: templateExample } },
  errors: templateErrors,
  example: { name: 'Welcome back' },
});
