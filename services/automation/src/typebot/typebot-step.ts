import type { StepContext, StepResult, StepType } from '../step.ts';
import { requestIdOf } from '../outside/request.ts';
import type { Incoming } from '../answerers/compiled.ts';
import type { Asked, Asking, TypebotClient } from './client.ts';
import type { TypebotAction } from './definition.ts';
import { beginning } from './kind.ts';
import { chosen, saidIn, type Said } from './reply.ts';
import type { BotAnswer, BotSession, BotSessions, Turn } from './sessions.ts';
import { variablesOf } from './variables.ts';

export interface TypebotParts {
  readonly client: TypebotClient;
  readonly sessions: BotSessions;
  readonly now: () => number;
}

/** Pause before a run that has not its turn looks again, and at most, milliseconds. */
const [firstPauseMs, longestPauseMs] = [200, 2_000];
/** A bot is gone on with for us so often for one message. */
const mostRounds = 10;

/** `{ type: 'typebot', … }`: tells the bot what was written, and sends what it says, in the turn of the chat's messages. */
export const typebotStep = (parts: TypebotParts): StepType => ({
  type: 'typebot',
  slow: true,
  carryOut: async (given, context) => {
    const turn = await parts.sessions.take(context);
    if ('until' in turn) {
      const pause = Math.min(firstPauseMs * 2 ** Math.min(context.attempt, 10), longestPauseMs);
      return { status: 'wait', until: Math.max(turn.until, context.now + pause) };
    }
    if (turn.answer !== undefined) return sending(turn.answer);
    return answered(parts, given as TypebotAction, context, turn);
  },
});

const sending = ({ contents, ignored }: BotAnswer, failed?: Extract<Asked, { ok: false }>): StepResult => ({
  status: 'send',
  contents,
  ...(ignored.length > 0 && { ignored: [...new Set(ignored)] }),
  ...(failed && { failure: { code: failed.error, message: 'Typebot did not answer.' } }),
});

async function answered(
  parts: TypebotParts,
  action: TypebotAction,
  context: StepContext,
  { session }: Turn,
): Promise<StepResult> {
  const { sessions } = parts;
  const text = context.message?.body ?? '';
  const asking: Asking = {
    organizationId: context.organizationId,
    id: requestIdOf(context),
    signal: context.signal,
  };
  if (session !== undefined) await sessions.asks(context);
  const first = session && (await parts.client.goOn(action, session.sessionId, chosen(session.offered, text), asking));
  const isUnknown = first !== undefined && !first.ok && first.statusCode === 404;
  if (session === undefined || isUnknown) {
    if (!begins(action, text)) return done(parts, action, context, { contents: [], ignored: [] }, undefined);
    const variables = await variablesOf(context);
    const started = await parts.client.start(action, { text, variables }, asking);
    return told(parts, action, context, started, undefined, asking);
  }
  return told(parts, action, context, first as Asked, session, asking);
}

/** Whatever is written goes on with a session; not everything begins one. */
const begins = ({ keywords }: TypebotAction, text: string): boolean =>
  beginning(keywords)({ text } as Incoming) !== undefined;

/** Gathers what the bot says, goes on as long as it waits for us, and keeps where it stands. */
async function told(
  parts: TypebotParts,
  action: TypebotAction,
  context: StepContext,
  first: Asked,
  before: BotSession | undefined,
  asking: Asking,
): Promise<StepResult> {
  const contents: BotAnswer['contents'][number][] = [];
  const ignored: string[] = [];
  let said: Said | undefined;
  let sessionId = before?.sessionId;
  let asked = first;
  for (let round = 0; asked.ok && round <= mostRounds; round += 1) {
    if (typeof asked.reply.sessionId === 'string' && asked.reply.sessionId !== '') sessionId = asked.reply.sessionId;
    said = saidIn(asked.reply, said?.restMs);
    contents.push(...said.contents);
    ignored.push(...said.ignored);
    if (said.waitsFor !== 'us' || sessionId === undefined || round === mostRounds) break;
    asked = await parts.client.goOn(action, sessionId, undefined, asking);
  }
  const failed = asked.ok ? undefined : asked;
  // Of one that failed nobody knows where it stands; the person may go on.
  const stands = failed === undefined ? said?.waitsFor !== 'nothing' : sessionId !== undefined;
  const offered = failed === undefined ? said?.offered : before?.offered;
  const session = stands && sessionId !== undefined ? { sessionId, ...(offered && { offered }) } : undefined;
  return done(parts, action, context, { contents, ignored }, session, failed);
}

async function done(
  { sessions, now }: TypebotParts,
  { expireMinutes }: TypebotAction,
  context: StepContext,
  answer: BotAnswer,
  session: BotSession | undefined,
  failed?: Extract<Asked, { ok: false }>,
): Promise<StepResult> {
  await sessions.keep(context, answer, { session, expireMinutes, now: now() });
  if (failed !== undefined && answer.contents.length === 0)
    return { status: 'failed', failure: { code: failed.error, message: 'Typebot did not answer.' } };
  return sending(answer, failed);
}
