import { view, type AppendGuard } from '@messaging-gateway/event-sourcing';
import { templateStream } from './template-stream.ts';

/** A request to the guard for a name. */
export interface NameRequest {
  readonly organizationId: string;
  readonly name: string;
  readonly templateId: string;
}

/**
 * Claims a name for a template in the statement that makes or renames it: of two at the same moment one is granted. A name
 * that the template has already is granted again.
 */
export const nameGuard: AppendGuard = {
  name: 'template_name',
  before: [
    [
      'claimed_names',
      `INSERT INTO {schema}.template_names AS held (organization_id, name, template_id)
       SELECT DISTINCT ON (request->>'organizationId', request->>'name') (request->>'organizationId')::uuid,
              request->>'name', (request->>'templateId')::uuid
         FROM {requests} ORDER BY request->>'organizationId', request->>'name', command
       ON CONFLICT (organization_id, name) DO UPDATE SET template_id = held.template_id
       RETURNING organization_id, name, template_id`,
    ],
  ],
  sql: `SELECT asked.command FROM {requests} asked JOIN claimed_names ON claimed_names.name = asked.request->>'name'
           AND claimed_names.organization_id = (asked.request->>'organizationId')::uuid
           AND claimed_names.template_id = (asked.request->>'templateId')::uuid`,
};

/** A name is free again when its template is called otherwise, or gone. */
export const namesFreedView = view({
  name: 'template_names_freed',
  of: templateStream,
  on: ['TemplateChanged', 'TemplateDeleted'],
  rows: (events) =>
    events.flatMap(({ type, data: { templateId, formerName, ...after }, metadata: { organizationId } }) =>
      type === 'TemplateChanged' && 'name' in after && after.name === formerName
        ? []
        : [{ templateId, name: formerName, organizationId }],
    ),
  sql: `
    DELETE FROM {schema}.template_names held USING {rows}
     WHERE held.organization_id = (row->>'organizationId')::uuid AND held.name = row->>'name'
       AND held.template_id = (row->>'templateId')::uuid`,
});
