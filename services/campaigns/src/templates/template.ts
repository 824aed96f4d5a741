import { check, templateContents, type SendableType, type templateCategories } from '@messaging-gateway/contracts';
import type { Decider } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { requireChange, type Scope } from './scope.ts';

export type TemplateCategory = (typeof templateCategories)[number];
export type Content = Readonly<Record<string, unknown>>;

/** All of a template that its owner says. */
export interface TemplateDocument {
  /** Null: every profile may use it. */
  readonly profileId: string | null;
  readonly name: string;
  readonly category: TemplateCategory;
  readonly messageType: SendableType;
  /** Fields of the send route, with placeholders; media as `url`. */
  readonly content: Content;
}

/** Times are ISO 8601. */
export type TemplateEvent =
  | { type: 'TemplateCreated'; data: TemplateDocument & { templateId: string; organizationId: string; at: string } }
  | { type: 'TemplateChanged'; data: TemplateDocument & { templateId: string; formerName: string; at: string } }
  | { type: 'TemplateDeleted'; data: { templateId: string; formerName: string; at: string } };

export type TemplateCommand =
  | { type: 'Create'; templateId: string; by: Scope; document: TemplateDocument; at: string }
  | { type: 'Change'; templateId: string; by: Scope; changes: Partial<TemplateDocument>; at: string }
  | { type: 'Delete'; templateId: string; by: Scope; at: string };

interface ActiveTemplate extends TemplateDocument {
  readonly status: 'active';
  readonly organizationId: string;
}
export type TemplateState = { readonly status: 'none' } | { readonly status: 'deleted' } | ActiveTemplate;

/** @throws Refused NOT_FOUND, FORBIDDEN */
function requireOwn(state: TemplateState, by: Scope): ActiveTemplate {
  if (state.status !== 'active' || state.organizationId !== by.organizationId) throw noSuchTemplate();
  requireChange(by, state.profileId);
  return state;
}

export const noSuchTemplate = (): Refused => new Refused('NOT_FOUND', 'There is no such template.');

/** @throws Refused VALIDATION_ERROR naming the fields of the content that a message of the type does not take */
export function assertFits(messageType: SendableType, content: Content): void {
  const schema = templateContents[messageType];
  const faults = schema === undefined ? [] : check(schema, structuredClone(content), 'body.content');
  if (faults.length > 0) throw invalid(faults);
}

function decide(command: TemplateCommand, state: TemplateState): readonly TemplateEvent[] {
  const { templateId, by, at } = command;
  switch (command.type) {
    case 'Create': {
      const { document } = command;
      if (state.status === 'deleted') throw new Refused('CONFLICT', 'The template has been deleted.');
      requireChange(by, document.profileId);
      if (state.status === 'active') return []; // the same request again
      assertFits(document.messageType, document.content);
      return [{ type: 'TemplateCreated', data: { ...document, templateId, organizationId: by.organizationId, at } }];
    }
    case 'Change': {
      const before = requireOwn(state, by);
      const after = { ...documentOf(before), ...command.changes };
      requireChange(by, after.profileId);
      const { messageType, content } = command.changes;
      if (messageType !== undefined || content !== undefined) assertFits(after.messageType, after.content);
      if (JSON.stringify(after) === JSON.stringify(documentOf(before))) return [];
      return [{ type: 'TemplateChanged', data: { ...after, templateId, formerName: before.name, at } }];
    }
    case 'Delete': {
      const { name } = requireOwn(state, by);
      return [{ type: 'TemplateDeleted', data: { templateId, formerName: name, at } }];
    }
  }
}

const documentOf = ({ profileId, name, category, messageType, content }: TemplateDocument): TemplateDocument => ({
  profileId,
  name,
  category,
  messageType,
  content,
});

function evolve(state: TemplateState, event: TemplateEvent): TemplateState {
  switch (event.type) {
    case 'TemplateCreated':
      return { status: 'active', organizationId: event.data.organizationId, ...documentOf(event.data) };
    case 'TemplateChanged':
      return state.status === 'active' ? { ...state, ...documentOf(event.data) } : state;
    case 'TemplateDeleted':
      return { status: 'deleted' };
  }
}

export const template: Decider<TemplateState, TemplateCommand, TemplateEvent> = {
  initial: { status: 'none' },
  decide,
  evolve,
};
