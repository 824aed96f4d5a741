import { operation } from '../../contract.ts';
import { Template, templateExample, templateParams } from './template.ts';

export const GetTemplate = operation({
  name: 'GetTemplate',
  owner: 'campaigns',
  method: 'GET',
  path: '/templates/:id',
  access: 'template:read',
  tag: 'Templates',
  summary: 'Get a template',
  means: 'One template, as it is written.',
  params: templateParams,
  answers: { 200: { body: Template, means: 'The template.', example: templateExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
