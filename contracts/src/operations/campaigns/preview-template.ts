import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { PlaceholderValues } from '../../placeholder.ts';
import { closed } from '../../shapes.ts';
import { TemplateContent, templateExample, templateParams } from './template.ts';

export const PreviewTemplate = operation({
  name: 'PreviewTemplate',
  owner: 'campaigns',
  method: 'POST',
  path: '/templates/:id/preview',
  access: 'template:read',
  tag: 'Templates',
  audit: false,
  summary: 'Preview a template',
  means:
    'Shows the content filled with these values. Placeholders without a value and a fallback stay, and `missing` names them.',
  params: templateParams,
  body: closed({ variables: Type.Optional(PlaceholderValues) }),
  bodyOptional: true,
  answers: {
    200: {
      body: closed(
        {
          rendered: TemplateContent,
          missing: Type.Array(Type.String(), { description: 'Names without a value, each once' }),
        },
        { title: 'TemplatePreview' },
      ),
      means: 'The content as it would be sent.',
      example: {
        rendered: { text: 'Hello friend, your order {{order}} is on its way.' },
        missing: ['order'],
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { variables: { name: templateExample.name } },
});
