import { operation } from '../../contract.ts';
import { templateErrors } from './create-template.ts';
import { Template, templateExample, templateParams } from './template.ts';

export const DuplicateTemplate = operation({
  name: 'DuplicateTemplate',
  owner: 'campaigns',
  method: 'POST',
  path: '/templates/:id/duplicate',
  access: 'template:create',
  tag: 'Templates',
  summary: 'Duplicate a template',
  means:
    'Another template with the same content and media, called "… (copy)", "… (copy 2)" and so on. A key limited to some profiles may not ' +
    'duplicate what all may use.',
  params: templateParams,
  answers: {
    201: {
      body: Template,
      means: 'The copy.',
      example: {
        ...templateExample,
        id: '0198c0de-0000-7000-8000-00000000000b',
        name: 'Welcome (copy)',
        usageCount: 0,
      },
    },
  },
  errors: templateErrors,
});
