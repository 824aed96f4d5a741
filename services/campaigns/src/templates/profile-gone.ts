import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { timeOf } from './handling.ts';
import { templateStream } from './template-stream.ts';
import type { TemplateTools } from './tools.ts';

/** Deletes the templates that only this profile could use. */
export async function deleteTemplatesOf(
  tools: Pick<TemplateTools, 'sql' | 'store' | 'clock'>,
  profileId: string,
  { organizationId }: Pick<EventEnvelope, 'organizationId'>,
): Promise<void> {
  const rows = await tools.sql.query<{ id: string }>(
    'SELECT id FROM templates WHERE profile_id = $1 AND organization_id = $2 AND NOT deleted',
    [profileId, organizationId],
  );
  const metadata = { organizationId, subject: `organization:${organizationId}`, actor: 'service:campaigns' };
  for (const { id: templateId } of rows) {
    const command = { type: 'Delete', templateId, by: { organizationId }, at: timeOf(tools) } as const;
    await tools.store.handle(templateStream, templateId, command, { metadata }).catch((error: unknown) => {
      // Deleted by somebody meanwhile.
      if (!(error instanceof Refused)) throw error;
    });
  }
}
