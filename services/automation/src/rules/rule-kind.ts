import type { AutoReplyFields } from '@messaging-gateway/contracts';
import type { KindOfAnswerer, Match } from '../answerers/compiled.ts';

/** Fields of a rule, as they are kept. */
export type RuleDefinition = Omit<AutoReplyFields, 'enabled'>;

type Mode = RuleDefinition['matchMode'];

const meets: Readonly<Record<Mode, (text: string, keyword: string) => boolean>> = {
  exact: (text, keyword) => text === keyword,
  contains: (text, keyword) => text.includes(keyword),
  startsWith: (text, keyword) => text.startsWith(keyword),
};

/** In one case, whatever the script, with composed characters. */
const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** Rules of auto-reply: a text for messages with a keyword. */
export const ruleKind: KindOfAnswerer<RuleDefinition> = {
  kind: 'rule',
  compile: ({ keywords, matchMode, response, privateOnly, cooldownSeconds }) => {
    const wanted = keywords.map((keyword) => ({ keyword, form: folded(keyword.trim()) }));
    return {
      groups: !privateOnly,
      continues: false,
      cooldownSeconds,
      conditions: [],
      actions: [{ type: 'send', message: { type: 'text', text: response } }],
      trigger: ({ text }): Match | undefined => {
        const form = folded(text.trim());
        const found = wanted.find((one) => meets[matchMode](form, one.form));
        return found && { text: found.keyword, groups: [] };
      },
    };
  },
};
