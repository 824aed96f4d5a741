import { DescribePerson, parseRecipient, type FlowAction, type TestFlow } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { findAnswerer } from '../answerers/answerer-records.ts';
import type { Incoming, Person } from '../answerers/compiled.ts';
import { flowOf } from './definition.ts';
import { flowKind } from './flow-kind.ts';
import { withHiddenHeaders } from './headers.ts';
import { filledFor, type Filling } from '../runs/steps/placeholders.ts';
import type { FlowTools } from './tools.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const stranger: Person = {
  contactId: null,
  name: null,
  pushName: null,
  phone: null,
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
};

/** Dry run of a flow with a message: nothing is sent, nothing is kept. */
export async function testFlow(tools: FlowTools, { params, body, caller, context }: InputOf<typeof TestFlow>) {
  const row = await findAnswerer(context.em(), 'flow', params.id, caller);
  const { organizationId } = caller;
  const profileId = row.profileId ?? '';
  const definition = flowOf(row);
  const jid = body.from === undefined ? undefined : parseRecipient(body.from)?.jid;
  const person = jid === undefined ? stranger : await tools.ask(DescribePerson, { organizationId, profileId, jid });
  const now = body.at === undefined ? tools.clock.now() : Date.parse(body.at);
  const message = incoming(body, { organizationId, profileId, jid, now, firstEver: person.contactId === null });
  const compiled = flowKind.compile(definition);
  const match = compiled.trigger(message);
  const conditions = compiled.conditions.map(({ condition, holds }) => ({
    ...(condition as { type: string }),
    passed: holds({ message, person, now }),
  }));
  const matched = match !== undefined && conditions.every(({ passed }) => passed);
  const known = { ...person, phone: person.phone ?? phoneOf(body.from) };
  const filling = { person: async () => known, message: message.told, ...(match && { match }) };
  const steps = matched ? definition.actions.map(withHiddenHeaders) : [];
  return {
    matched,
    match: match?.text ?? null,
    conditions,
    actions: await Promise.all(steps.map((action) => filled(action, filling))),
  };
}

const phoneOf = (from: string | undefined): string | null =>
  (from === undefined ? undefined : parseRecipient(from)?.phone) ?? null;

interface About {
  readonly organizationId: string;
  readonly profileId: string;
  readonly jid: string | undefined;
  readonly now: number;
  readonly firstEver: boolean;
}

/** The message as if it had been received. */
function incoming(
  { message: text, type = 'text', quoted, newContact }: InputOf<typeof TestFlow>['body'],
  { organizationId, profileId, jid = '0@c.us', now, firstEver }: About,
): Incoming {
  return {
    organizationId,
    profileId,
    isGroup: false,
    text,
    writtenAt: now,
    told: {
      id: nobody,
      networkMessageId: '',
      conversationId: nobody,
      from: jid,
      body: text,
      type,
      content: { type: 'text', text },
      hasMedia: false,
      timestamp: new Date(now).toISOString(),
      ...(quoted === true && { quotedMessageId: nobody }),
      ...((newContact ?? firstEver) && { firstEver: true as const }),
    },
  };
}

/** A step with the placeholders in its texts filled, as far as they are its own: a template's are its own matter. */
async function filled(action: FlowAction, filling: Filling): Promise<FlowAction> {
  if (action.type === 'send') return filledFor(filling, action, action.message?.link);
  if (action.type !== 'ai_reply' || action.fallback === undefined) return action;
  return { ...action, fallback: await filledFor(filling, action.fallback) };
}
