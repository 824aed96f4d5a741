import { RenderTemplate, check, sendRoutes, type AnswerOf, type SendTemplate } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import { type Compose, jidOf, replyOf } from './drafts.ts';
import type { Sending } from './sending.ts';

export interface SendTemplateParts {
  readonly ask: ServiceTools<unknown>['ask'];
  readonly compose: Compose;
  readonly sending: Pick<Sending, 'send'>;
}

type Rendered = AnswerOf<typeof RenderTemplate>;

/** `POST /messages/template`: what campaigns makes of the template goes the way of the send route of its type. */
export const sendTemplate =
  ({ ask, compose, sending }: SendTemplateParts) =>
  async ({ body, caller, context }: InputOf<typeof SendTemplate>): Promise<unknown> => {
    const { profileId, to, templateId, variables = {} } = body;
    const { organizationId } = caller;
    const read = async () => {
      const jid = jidOf(to, 'body.to');
      const { requestId, traceparent, deadline } = context;
      const asked = { organizationId, templateId, profileId, variables };
      const rendered = await ask(RenderTemplate, asked, { requestId, traceparent, deadline });
      assertWhole(rendered, { profileId, to });
      // Whoever may use the template may send its media, wherever these lie.
      const { profileIds: _, ...whole } = caller;
      const at = { profileId, to: jid, caller: whole, context, path: 'content' };
      const { messageType, content } = rendered;
      return { to: jid, ...(await compose(messageType, content, at).catch(ofTheTemplate)) };
    };
    return replyOf(await sending.send({ profileId, caller, context, templateId }, read));
  };

/** @throws Refused VALIDATION_ERROR naming `body.variables` */
function assertWhole({ messageType, content, missing }: Rendered, who: { profileId: string; to: string }): void {
  if (missing.length > 0)
    throw invalid(missing.map((name) => ({ path: 'body.variables', message: `must have a value for ${name}` })));
  const faults = check(sendRoutes[messageType].body, { ...content, ...who }, 'content');
  if (faults.length > 0) throw invalid(faults.map(inVariables));
}

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** A fault of a template's field, told as one of `variables`: the sender of a template gives its values, and has not seen its fields. */
const inVariables = ({ path, message }: Fault): Fault => ({
  path: 'body.variables',
  message: `make a ${path} of the template that ${message}`,
});

function ofTheTemplate(error: unknown): never {
  if (!(error instanceof Refused) || error.code !== 'VALIDATION_ERROR' || !Array.isArray(error.details)) throw error;
  throw invalid((error.details as Fault[]).map(inVariables));
}
