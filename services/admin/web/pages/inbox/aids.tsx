import { useState, type ReactNode } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import type { MenuItem } from '../../kit/menu.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useLanguage, useTexts } from '../../language/language.tsx';
import type { Message } from '../../messages/shapes.ts';
import { useAi } from './ai.ts';
import { wordsOf } from './suggestion.ts';
import { logTexts } from './texts.ts';

/** What AI says about a message: its translation, how it sounds. Only who reads here sees it. */
export function useAids(message: Message): {
  readonly items: readonly (MenuItem | false)[];
  readonly shown: ReactNode;
} {
  const t = useTexts(logTexts);
  const { language } = useLanguage();
  const canAsk = useAi();
  const translating = useWrite('TranslateText', 'GetAiStatus');
  const scoring = useWrite('ScoreSentiment', 'GetAiStatus');
  const [translation, setTranslation] = useState<string>();
  const [tone, setTone] = useState<AnswerOf<'ScoreSentiment'>>();
  const words = wordsOf(message);
  if (words === undefined || !canAsk) return { items: [], shown: null };
  const translate = async () =>
    setTranslation((await translating.write({ body: { text: words, targetLanguage: language } }))?.answer.text);
  const score = async () => setTone((await scoring.write({ body: { message: words } }))?.answer);
  const problem = translating.problem ?? scoring.problem;
  const hide = () => {
    setTranslation(undefined);
    setTone(undefined);
    translating.forget();
    scoring.forget();
  };
  const isShown = translation !== undefined || tone !== undefined || problem !== undefined;
  return {
    items: [
      { label: t('translate'), icon: 'globe', onSelect: () => void translate() },
      message.direction === 'incoming' && { label: t('tone'), icon: 'smile', onSelect: () => void score() },
    ],
    shown: isShown && (
      <div role="status" className="grid gap-1 border-t border-line pt-1">
        {translation !== undefined && <p className="text-xs text-muted">{t('translation')}</p>}
        {translation !== undefined && (
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {translation}
          </p>
        )}
        {tone && <p className="text-muted">{t(tone.sentiment, { sure: `${Math.round(tone.confidence * 100)} %` })}</p>}
        {problem && <ProblemAlert problem={problem} />}
        <div>
          <Button kind="quiet" onClick={hide}>
            {t('hideAid')}
          </Button>
        </div>
      </div>
    ),
  };
}
