import { ChangeTags, HandOverChat, namedUuids } from '@messaging-gateway/contracts';
import { isRefusal } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import type { StepContext, StepResult, StepType } from '../../step.ts';

type Ask = ServiceTools<unknown>['ask'];

const onceOf = namedUuids('5e9b7f6a-5d60-5d6f-8b59-2c8f4a1c7c55');
const actor = 'service:automation';

/** Key under which the inbox makes a step's change only once. */
const onceOfStep = ({ runId, index }: StepContext, place = 0): string => onceOf(`${runId} ${index} ${place}`);

/** The person whose tags are meant: who wrote, or who is written to. */
const personOf = ({ message, chat }: StepContext): string => message?.author ?? chat;

/** Changes tags of the person. @throws Refused */
export const changeTags = (ask: Ask, context: StepContext, change: { add?: string[]; remove?: string[] }, place = 0) =>
  ask(ChangeTags, {
    organizationId: context.organizationId,
    profileId: context.profileId,
    jid: personOf(context),
    add: change.add ?? [],
    remove: change.remove ?? [],
    actor,
    once: onceOfStep(context, place),
  });

/** Leaves the chat to humans. @throws Refused */
export const handOverChat = (ask: Ask, context: StepContext, place = 0) =>
  ask(HandOverChat, {
    organizationId: context.organizationId,
    conversationId: context.conversationId,
    actor,
    once: onceOfStep(context, place),
  });

/** Result of work in the inbox: a refusal makes the step fail; the inbox is asked again while it is away. */
async function doneBy(work: Promise<unknown>): Promise<StepResult> {
  try {
    await work;
    return { status: 'done' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { status: 'failed', failure: { code: error.code, message: error.message } };
  }
}

/** `{ type: 'add_tag' | 'remove_tag', value }` and `{ type: 'handover' }`. */
export const chatSteps = ({ ask }: { readonly ask: Ask }): readonly StepType[] => [
  {
    type: 'add_tag',
    carryOut: ({ value }, context) => doneBy(changeTags(ask, context, { add: [String(value)] })),
  },
  {
    type: 'remove_tag',
    carryOut: ({ value }, context) => doneBy(changeTags(ask, context, { remove: [String(value)] })),
  },
  { type: 'handover', carryOut: (_, context) => doneBy(handOverChat(ask, context)) },
];
