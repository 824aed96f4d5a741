import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { dropChallenge, keptChallenge } from '../../session/challenge.ts';
import { useEntering, useNext } from '../../session/entering.ts';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  useTitle(t('title'));
  const [challengeToken] = useState(keptChallenge);
  const next = useNext();
  const { values, bind } = useFields({ code: '' });
  const { write, problem, isBusy } = useWrite('VerifyTwoFactor');
  const enter = useEntering();
  if (challengeToken === undefined) return <Navigate to="/sign-in" search={{ next }} replace />;
  const submit = async () => {
    const done = await write({ body: { challengeToken, code: values.code.trim() } });
    if (done === undefined) return;
    dropChallenge();
    enter(done.answer);
  };
  return (
    <>
      <h1 className="text-xl font-semibold">{t('title')}</h1>
      <Form onSubmit={submit} problem={problem}>
        <TextField label={t('code')} hint={t('hint')} autoComplete="one-time-code" autoFocus {...bind('code')} />
        <Button type="submit" kind="primary" busy={isBusy}>
          {t('verify')}
        </Button>
      </Form>
      <PageLink to="/sign-in">{t('back')}</PageLink>
    </>
  );
}
