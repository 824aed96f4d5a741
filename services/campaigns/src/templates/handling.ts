import { Refused } from '@messaging-gateway/messaging';
import { askedBy, type Asking } from '../metadata.ts';
import { templateStream } from './template-stream.ts';
import type { NameRequest } from './names.ts';
import type { TemplateCommand } from './template.ts';
import type { TemplateTools } from './tools.ts';

/**
 * Carries out a command. @param name that the template is to have; absent: it keeps its own
 * @returns false when another template has the name
 */
export async function handleTemplate(
  { store }: Pick<TemplateTools, 'store'>,
  command: TemplateCommand,
  asked: Asking,
  name?: string,
): Promise<boolean> {
  const { templateId, by } = command;
  const request = { organizationId: by.organizationId, name, templateId } as NameRequest;
  const { outcome } = await store.handle(templateStream, templateId, command, {
    metadata: askedBy(asked),
    onAppended: asked.context.appended,
    ...(name !== undefined && { guard: { name: 'template_name', request } }),
  });
  return outcome !== 'guarded';
}

export const nameTaken = (): Refused =>
  new Refused('CONFLICT', 'Another template of the organization has this name.', [
    { path: 'body.name', message: 'is the name of another template' },
  ]);

export const timeOf = ({ clock }: Pick<TemplateTools, 'clock'>): string => new Date(clock.now()).toISOString();
