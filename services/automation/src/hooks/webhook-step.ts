import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Action } from '../answerers/compiled.ts';
import { openSecret } from '../answerers/secrets.ts';
import type { Caller } from '../outside/calling.ts';
import type { StepType } from '../step.ts';
import { requestBody, requestIdOf } from '../outside/request.ts';

/** `secret` and the values of headers are sealed. */
interface WebhookAction extends Action {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
}

/** Pauses before the second and the third attempt, milliseconds. */
const pauses = [1_000, 4_000];
const timeoutMs = 10_000;

/** `{ type: 'webhook', url, method?, headers? }`: three attempts with the same id and body. */
export const webhookStep = (caller: Caller, encryption: EncryptionKeys): StepType => ({
  type: 'webhook',
  slow: true,
  carryOut: async (action, context) => {
    const { url, method, headers, secret } = action as WebhookAction;
    const open = (sealed: string): string => openSecret(encryption, context.organizationId, sealed);
    const body = context.memo ?? (await requestBody('automation.action', context));
    const called = await caller.call({
      url,
      ...(method !== undefined && { method }),
      ...(headers && {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, open(value)])),
      }),
      id: requestIdOf(context),
      body,
      secret: secret === undefined ? undefined : open(secret),
      timeoutMs,
      signal: context.signal,
    });
    if (called.ok) return { status: 'done' };
    const pause = pauses[context.attempt];
    if (pause !== undefined) return { status: 'wait', until: context.now + pause, memo: body };
    return { status: 'failed', failure: { code: called.error, message: 'The URL did not take the request.' } };
  },
});
