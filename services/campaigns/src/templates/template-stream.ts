import type { StreamType } from '@messaging-gateway/event-sourcing';
import { template, type TemplateCommand, type TemplateEvent, type TemplateState } from './template.ts';

const personal = ['name', 'formerName', 'content'];

export const templateStream: StreamType<TemplateState, TemplateCommand, TemplateEvent> = {
  name: 'template',
  decider: template,
  events: {
    TemplateCreated: { version: 1, personal },
    TemplateChanged: { version: 1, personal },
    TemplateDeleted: { version: 1, personal },
  },
};
