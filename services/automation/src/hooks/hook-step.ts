import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Action } from '../answerers/compiled.ts';
import { openSecret } from '../answerers/secrets.ts';
import type { Caller } from '../outside/calling.ts';
import { saidBefore } from '../said-before.ts';
import type { StepContext, StepResult, StepType } from '../step.ts';
import { repliesIn } from './replies.ts';
import { requestBody, requestIdOf } from '../outside/request.ts';

/** `secret` and `headers` (JSON) are sealed. `history`: how many earlier messages go along. */
export interface HookAction extends Action {
  readonly event: 'webhook-reply' | 'ai-hook';
  readonly url: string;
  readonly headers?: string;
  readonly secret?: string;
  readonly history?: number;
}

export interface HookParts {
  readonly caller: Caller;
  readonly encryption: EncryptionKeys;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly now: () => number;
}

const timeoutMs = 10_000;
/** Latest time of an answer after the message was taken in, milliseconds: a later one is dropped. */
const latestMs = 60_000;

/** Asks a URL once what is to be answered, and sends that. */
export const hookStep = (parts: HookParts): StepType => ({
  type: 'hook',
  slow: true,
  carryOut: (action, context) => askHook(parts, action as HookAction, context),
});

async function askHook(
  { caller, encryption, ask, now }: HookParts,
  { event, url, headers, secret, history }: HookAction,
  context: StepContext,
): Promise<StepResult> {
  if (now() - context.startedAt >= latestMs) return { status: 'failed', failure: tooLate };
  const further = history === undefined ? {} : { previousMessages: await saidBefore(ask, context, history) };
  const open = (sealed: string): string => openSecret(encryption, context.organizationId, sealed);
  const called = await caller.call({
    url,
    ...(headers !== undefined && { headers: JSON.parse(open(headers)) as Record<string, string> }),
    id: requestIdOf(context),
    body: await requestBody(event, context, further),
    secret: secret === undefined ? undefined : open(secret),
    timeoutMs,
    signal: context.signal,
  });
  if (!called.ok) return { status: 'failed', failure: { code: called.error, message: 'The URL did not answer.' } };
  if (now() - context.startedAt >= latestMs) return { status: 'failed', failure: tooLate };
  const replies = repliesIn(called.text);
  if ('code' in replies) return { status: 'failed', failure: replies };
  return replies.length === 0 ? { status: 'done' } : { status: 'send', contents: replies };
}

const tooLate = { code: 'TIMEOUT', message: 'The answer came too late to be sent.' };
