import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { RequestOf } from '../../api/operations.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Menu } from '../../kit/menu.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { languageNames } from '../../language/names.ts';
import { useLanguage, useTexts } from '../../language/language.tsx';
import { composerTexts } from './texts.ts';

interface Given {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Undefined: there is nothing to answer. */
  readonly suggestion: RequestOf<'SuggestReply'> | undefined;
}

/** Told to a model, so in one language whatever the page speaks. */
const finishing =
  'You help somebody who writes a message in a chat. Answer with the finished message alone: in the language and the tone of what is given, correct, short, without adding facts.';

/** The composer's text by AI: suggested, finished, translated. Nothing is sent, and what stood there comes back by *Undo*. */
export function useAssist({ text, write, suggestion }: Given) {
  const t = useTexts(composerTexts);
  const say = useSay();
  const [isTranslating, setTranslating] = useState(false);
  const suggesting = useWrite('SuggestReply', 'GetAiStatus');
  const completing = useWrite('CompleteText', 'GetAiStatus');
  const put = (made: string | undefined) => {
    if (made === undefined) return;
    write(made);
    say(t('written'), { label: t('takeBack'), act: () => write(text) });
  };
  const suggest = async () => {
    completing.forget();
    if (suggestion) put((await suggesting.write(suggestion))?.answer.reply);
  };
  const finish = async () => {
    suggesting.forget();
    put((await completing.write({ body: { prompt: text, systemPrompt: finishing } }))?.answer.content);
  };
  const isBusy = suggesting.isBusy || completing.isBusy;
  const problem = suggesting.problem ?? completing.problem;
  const isWritten = text.trim() !== '';
  const menu = (
    <Menu
      label={t('assist')}
      icon="ai"
      items={[
        suggestion && !isBusy && { label: t('suggest'), icon: 'replies', onSelect: () => void suggest() },
        isWritten && !isBusy && { label: t('finish'), icon: 'edit', onSelect: () => void finish() },
        isWritten && { label: t('translate'), icon: 'globe', onSelect: () => setTranslating(true) },
      ]}
    />
  );
  const shown = (
    <>
      {isBusy && (
        <p role="status" className="text-muted">
          {t('thinking')}
        </p>
      )}
      {problem && !isBusy && <ProblemAlert problem={problem} />}
    </>
  );
  const dialog = isTranslating && <TranslateDialog text={text} onClose={() => setTranslating(false)} onText={put} />;
  return { menu, shown, dialog };
}

interface TranslateGiven {
  readonly text: string;
  readonly onClose: () => void;
  readonly onText: (text: string) => void;
}

function TranslateDialog({ text, onClose, onText }: TranslateGiven) {
  const t = useTexts(composerTexts);
  const { language } = useLanguage();
  const { values, bind } = useFields({ targetLanguage: language === 'en' ? '' : languageNames[language] });
  return (
    <WriteDialog
      title={t('translate')}
      submit={t('translateIt')}
      operation="TranslateText"
      request={{ body: { text, targetLanguage: values.targetLanguage } }}
      rereads={['GetAiStatus']}
      onClose={onClose}
      onDone={(answer) => {
        onText(answer.text);
        onClose();
      }}
    >
      <p dir="auto" className="max-h-40 overflow-auto whitespace-pre-wrap rounded-lg bg-sunken p-3">
        {text}
      </p>
      <TextField label={t('into')} hint={t('intoHint')} autoFocus {...bind('targetLanguage')} />
    </WriteDialog>
  );
}
