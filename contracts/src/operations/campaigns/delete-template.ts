import { operation } from '../../contract.ts';
import { templateParams } from './template.ts';

export const DeleteTemplate = operation({
  name: 'DeleteTemplate',
  owner: 'campaigns',
  method: 'DELETE',
  path: '/templates/:id',
  access: 'template:delete',
  tag: 'Templates',
  summary: 'Delete a template',
  means:
    'Its name is free again. What was accepted with it still goes out; its media are deleted when nothing of that can wait any more ' +
    '(`QUEUED_MESSAGE_TTL_HOURS`). A key limited to some profiles may not delete what all may use.',
  params: templateParams,
  answers: { 204: { means: 'The template is gone.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
