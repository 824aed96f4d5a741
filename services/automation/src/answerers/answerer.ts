import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

/** Kinds of answerers, in the order in which they are asked. */
export const answererKinds = ['flow', 'rule', 'webhook-reply', 'ai-hook', 'typebot'] as const;
export type AnswererKind = (typeof answererKinds)[number];

/** Fields of one kind, as they are kept: defaults filled in, secrets sealed. JSON values only. */
export type Definition = Readonly<Record<string, unknown>>;

/** All of an answerer that its owner says. */
export interface AnswererDocument {
  readonly kind: AnswererKind;
  /** Null: it answers for all profiles of the organization. */
  readonly profileId: string | null;
  readonly name: string;
  readonly enabled: boolean;
  /** Among those of its kind: the smaller, the earlier. */
  readonly priority: number;
  readonly definition: Definition;
}

type Named = { readonly answererId: string; readonly at: string };

/** Times are ISO 8601. */
export type AnswererEvent =
  | { readonly type: 'AnswererSaved'; readonly data: AnswererDocument & Named & { readonly version: number } }
  | { readonly type: 'AnswererDeleted'; readonly data: Named & { readonly version: number } };

/** `fields`: those of the definition that change, null takes one away; the others stay as they are by then. */
export type AnswererChanges = Partial<Omit<AnswererDocument, 'kind'>> & { readonly fields?: Definition };

export type AnswererCommand =
  /** Makes it under its id; the same request again changes nothing. */
  | ({ readonly type: 'Create'; readonly document: AnswererDocument } & Named)
  | ({ readonly type: 'Change'; readonly changes: AnswererChanges } & Named)
  | ({ readonly type: 'Delete' } & Named);

export type AnswererState =
  | { readonly status: 'none' }
  | { readonly status: 'deleted'; readonly version: number }
  | { readonly status: 'active'; readonly version: number; readonly document: AnswererDocument };

export const noSuchAnswerer = (): Refused => new Refused('NOT_FOUND', 'There is no such automation.');

const documentOf = ({ kind, profileId, name, enabled, priority, definition }: AnswererDocument): AnswererDocument => ({
  kind,
  profileId,
  name,
  enabled,
  priority,
  definition,
});

function decide(command: AnswererCommand, state: AnswererState): readonly AnswererEvent[] {
  const { answererId, at } = command;
  if (command.type === 'Create') {
    if (state.status === 'deleted') throw new Refused('CONFLICT', 'It has been deleted.');
    if (state.status === 'active') return [];
    return [{ type: 'AnswererSaved', data: { ...command.document, answererId, version: 1, at } }];
  }
  if (state.status !== 'active') throw noSuchAnswerer();
  const version = state.version + 1;
  if (command.type === 'Delete') return [{ type: 'AnswererDeleted', data: { answererId, version, at } }];
  const before = documentOf(state.document);
  const { fields, ...changes } = command.changes;
  const after = { ...before, ...changes, ...(fields && { definition: withFields(before.definition, fields) }) };
  if (JSON.stringify(after) === JSON.stringify(before)) return [];
  return [{ type: 'AnswererSaved', data: { ...after, answererId, version, at } }];
}

const withFields = (definition: Definition, fields: Definition): Definition =>
  Object.fromEntries(Object.entries({ ...definition, ...fields }).filter(([, value]) => value !== null));

function evolve(_: AnswererState, { type, data }: AnswererEvent): AnswererState {
  const { version } = data;
  return type === 'AnswererDeleted'
    ? { status: 'deleted', version }
    : { status: 'active', version, document: documentOf(data) };
}

const answerer: Decider<AnswererState, AnswererCommand, AnswererEvent> = {
  initial: { status: 'none' },
  decide,
  evolve,
};

export const answererStream: StreamType<AnswererState, AnswererCommand, AnswererEvent> = {
  name: 'answerer',
  decider: answerer,
  events: {
    AnswererSaved: { version: 1, personal: ['name', 'definition'] },
    AnswererDeleted: { version: 1 },
  },
};
