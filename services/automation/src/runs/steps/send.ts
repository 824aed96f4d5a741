import { check, RenderTemplate, sendRoutes, type SendableType } from '@messaging-gateway/contracts';
import { isRefusal } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Action } from '../../answerers/compiled.ts';
import type { Content, Failure, StepContext, StepResult, StepType } from '../../step.ts';
import { filledFor } from './placeholders.ts';

/** `{ type: 'send', message: { type, text | content, link? } }` or `{ type: 'send', templateId, variables? }`. */
interface SendAction extends Action {
  readonly message?: {
    readonly type: SendableType;
    readonly text?: string;
    readonly content?: Readonly<Record<string, unknown>>;
    readonly link?: string;
  };
  readonly templateId?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

const nobody = { profileId: '00000000-0000-4000-8000-000000000000', to: '0000000' };

/** Sends one message with its placeholders filled. */
export const sendStep = ({ ask }: Pick<ServiceTools<unknown>, 'ask'>): StepType => ({
  type: 'send',
  carryOut: async (action, context) => {
    const { message, templateId, variables = {} } = action as SendAction;
    const content =
      message === undefined
        ? await ofTemplate(ask, context, templateId ?? '', variables)
        : await ofMessage(context, message);
    if ('code' in content) return { status: 'failed', failure: content };
    return sending(content);
  },
});

/** Contents to be sent, or a failure: once filled, a content may be too long, or no number. */
function sending(content: Content): StepResult {
  const faults = check(sendRoutes[content.type].body, { ...structuredClone(content.content), ...nobody }, 'content');
  const [fault] = faults;
  if (fault === undefined) return { status: 'send', contents: [content] };
  return { status: 'failed', failure: { code: 'VALIDATION_ERROR', message: `${fault.path} ${fault.message}` } };
}

async function ofMessage(
  context: StepContext,
  { type, text, content, link }: NonNullable<SendAction['message']>,
): Promise<Content> {
  const whole = { ...content, ...(text !== undefined && { text }) };
  return { type, content: await filledFor(context, whole, link) };
}

async function ofTemplate(
  ask: ServiceTools<unknown>['ask'],
  context: StepContext,
  templateId: string,
  variables: Readonly<Record<string, string>>,
): Promise<Content | Failure> {
  const { organizationId, profileId } = context;
  const values = await filledFor(context, variables);
  try {
    const asked = { organizationId, profileId, templateId, variables: values };
    const { messageType, content, missing } = await ask(RenderTemplate, asked);
    if (missing.length > 0)
      return { code: 'VALIDATION_ERROR', message: `The template has no value for ${missing.join(', ')}.` };
    return { type: messageType, content, templateId };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { code: error.code, message: error.message };
  }
}
