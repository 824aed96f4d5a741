import { useAsk, useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { Page } from '../../kit/page.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMe } from '../../session/me.tsx';
import { Card } from '../../kit/card.tsx';
import { LooksCard } from './looks.tsx';
import { PersonalDataCard } from './personal-data.tsx';
import { PreferencesCard } from './preferences.tsx';
import { PushesCard } from './pushes.tsx';
import { SessionsCard } from './sessions.tsx';
import { texts } from './texts.ts';
import { TwoFactorCard } from './two-factor.tsx';

export function PageContent() {
  const t = useTexts(texts);
  const me = useMe();
  const preferences = useAsk('GetPreferences', {});
  return (
    <Page title={t('title')}>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title={t('person')}>
          <dl className="grid gap-1">
            <dt className="text-muted">{t('name')}</dt>
            <dd className="wrap-anywhere">{me.name}</dd>
            <dt className="text-muted">{t('email')}</dt>
            <dd className="wrap-anywhere">{me.email}</dd>
            <dt className="text-muted">{t('role')}</dt>
            <dd>{me.role}</dd>
          </dl>
        </Card>
        <LooksCard />
        <PasswordCard />
        <TwoFactorCard />
        <PreferencesCard preferences={preferences} />
        <PersonalDataCard />
      </div>
      <PushesCard />
      <SessionsCard />
    </Page>
  );
}

function PasswordCard() {
  const t = useTexts(texts);
  const say = useSay();
  const empty = { currentPassword: '', newPassword: '' };
  const { values, bind, set } = useFields(empty);
  const { write, problem, isBusy } = useWrite('ChangePassword', 'ListSessions');
  const submit = async () => {
    if ((await write({ body: values })) === undefined) return;
    set(empty);
    say(t('changed'));
  };
  return (
    <Card title={t('changePassword')}>
      <Form onSubmit={submit} problem={problem}>
        <TextField label={t('current')} type="password" autoComplete="current-password" {...bind('currentPassword')} />
        <TextField
          label={t('next')}
          type="password"
          autoComplete="new-password"
          hint={t('nextHint')}
          {...bind('newPassword')}
        />
        <div>
          <Button type="submit" busy={isBusy}>
            {t('changePassword')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
