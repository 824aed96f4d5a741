import type { Compiled, Incoming, KindOfAnswerer, Match } from '../answerers/compiled.ts';
import { keywordTrigger } from '../flows/triggers/keyword.ts';
import type { TypebotAction, TypebotDefinition } from './definition.ts';
import type { BotSessions } from './sessions.ts';

const words = ({ text }: Incoming): Match | undefined => (text.trim() === '' ? undefined : { text, groups: [] });

/** Whether a text may begin a session. */
export const beginning = (keywords: readonly string[]): Compiled['trigger'] =>
  keywords.length === 0 ? words : keywordTrigger(keywords);

/** Typebot looks at texts and captions, last of all: a keyword begins a session, and whatever is written there goes on with it. */
export const typebotKind = (sessions: Pick<BotSessions, 'isOpen'>): KindOfAnswerer<TypebotDefinition> => ({
  kind: 'typebot',
  compile: ({ apiUrl, botId, profileIds, keywords, expireMinutes, ignoreGroups }) => {
    const begins = beginning(keywords);
    const isFor = ({ profileId }: Incoming): boolean => profileIds === undefined || profileIds.includes(profileId);
    const action: TypebotAction = { type: 'typebot', apiUrl, botId, keywords, expireMinutes };
    return {
      groups: !ignoreGroups,
      continues: false,
      cooldownSeconds: 0,
      conditions: [],
      actions: [action],
      trigger: (message) => (isFor(message) ? begins(message) : undefined),
      goesOn: async (message, now) =>
        isFor(message) && words(message) !== undefined && (await sessions.isOpen(message.told.conversationId, now)),
    };
  },
});
