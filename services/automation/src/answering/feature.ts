import {
  EvaluateAutomation,
  MessageReceived,
  MessageRecovered,
  type DataOf,
  type EventEnvelope,
} from '@messaging-gateway/contracts';
import { batchedReaction, feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { Incoming } from '../answerers/compiled.ts';
import { answerers } from '../answerers/feature.ts';
import { KnownAnswerers } from '../answerers/known-answerers.ts';
import type { AutomationSettings } from '../config.ts';
import { flowKind } from '../flows/flow-kind.ts';
import { aiHookKind, webhookReplyKind } from '../hooks/kinds.ts';
import { ruleKind } from '../rules/rule-kind.ts';
import { runs } from '../runs/feature.ts';
import { typebot } from '../typebot/feature.ts';
import { typebotKind } from '../typebot/kind.ts';
import { evaluate } from './dry-run.ts';
import { answer, type AnsweringParts } from './evaluating.ts';

/** Lets what answers by itself look at each message that comes in. */
export const answering = feature({
  name: 'answering',
  needs: { answerers, runs, typebot },
  connect: (
    tools: ServiceTools<AutomationSettings>,
    { answerers: kept, runs: { pace, runner }, typebot: { sessions } },
  ) => {
    const { ask, clock, settings, sql } = tools;
    const kinds = [flowKind, ruleKind, webhookReplyKind, aiHookKind, typebotKind(sessions)];
    const known = new KnownAnswerers({ sql }, kinds);
    kept.onChange((organizationId) => known.forget(organizationId));
    const parts: AnsweringParts = { ask, clock, known, runner, pace };
    const inTurn = new Turns();
    const answerTo = async (
      told: DataOf<typeof MessageReceived>,
      { organizationId, profileId }: EventEnvelope,
    ): Promise<void> => {
      if (profileId === undefined) return;
      if (clock.now() - Date.parse(told.timestamp) > settings.maxAgeSeconds * 1000) return;
      await known.upToDate();
      if ((await known.of(organizationId, profileId)).length === 0) return;
      const message = incomingOf(organizationId, profileId, told);
      await inTurn.after(told.conversationId, () => answer(parts, message));
    };
    return {
      rows: [operation(EvaluateAutomation, (input) => evaluate(parts, input))],
      hears: [
        batchedReaction(MessageReceived, answerTo),
        // Nothing could be made of it before its content was there.
        batchedReaction(MessageRecovered, answerTo),
      ],
      personalData: { first: async ({ organizationId }) => known.forget(organizationId) },
    };
  },
});

const incomingOf = (organizationId: string, profileId: string, told: DataOf<typeof MessageReceived>): Incoming => ({
  organizationId,
  profileId,
  isGroup: told.from.endsWith('@g.us'),
  text: told.body ?? '',
  writtenAt: Date.parse(told.timestamp),
  told,
});

/** Turns of chats: the work of one chat is done in its order. */
class Turns {
  readonly #last = new Map<string, Promise<void>>();

  async after(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key);
    const mine = (async () => {
      await before?.catch(() => undefined);
      await work();
    })();
    this.#last.set(key, mine);
    try {
      await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
