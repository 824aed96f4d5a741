import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

type Preferences = AnswerOf<'GetPreferences'>;

interface Given {
  readonly preferences: {
    readonly data: Preferences | undefined;
    readonly problem: Problem | undefined;
    readonly retry: () => void;
  };
}

const words = [
  'notifyOnMessage',
  'notifyOnConnect',
  'notifyOnDisconnect',
  'emailNotifications',
  'pushNotifications',
] as const;

/** Card of the notifications that somebody wants. */
export function PreferencesCard({ preferences }: Given) {
  const t = useTexts(texts);
  return (
    <Card title={t('preferences')}>
      <Loaded of={preferences}>{(kept) => <PreferencesForm kept={kept} />}</Loaded>
    </Card>
  );
}

function PreferencesForm({ kept }: { readonly kept: Preferences }) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields(kept);
  const { write, problem, isBusy } = useWrite('UpdatePreferences', 'GetPreferences');
  return (
    <Form
      problem={problem}
      onSubmit={async () => {
        if (await write({ body: values })) say(t('saved'));
      }}
    >
      {words.map((word) => (
        <Checkbox key={word} label={t(word)} {...bind(word)} />
      ))}
      <div>
        <Button type="submit" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </Form>
  );
}
