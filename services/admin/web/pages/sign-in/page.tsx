import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { keepChallenge } from '../../session/challenge.ts';
import { useEntering, useNext } from '../../session/entering.ts';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  useTitle(t('title'));
  const { values, bind } = useFields({ email: '', password: '' });
  const { write, problem, isBusy } = useWrite('Login');
  const enter = useEntering();
  const next = useNext();
  const navigate = useNavigate();
  const submit = async () => {
    const done = await write({ body: values });
    if (done === undefined) return;
    if ('user' in done.answer) return enter(done.answer);
    keepChallenge(done.answer.challengeToken);
    await navigate({ to: '/sign-in/code', search: { next } });
  };
  return (
    <>
      <h1 className="text-xl font-semibold">{t('title')}</h1>
      <Form onSubmit={submit} problem={problem}>
        <TextField label={t('email')} type="email" autoComplete="username" autoFocus {...bind('email')} />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          hint={t('forgotten')}
          {...bind('password')}
        />
        <Button type="submit" kind="primary" busy={isBusy}>
          {t('title')}
        </Button>
      </Form>
      <p className="text-muted">
        {t('newHere')}{' '}
        <PageLink to={next === undefined ? '/register' : `/register?next=${encodeURIComponent(next)}`}>
          {t('create')}
        </PageLink>
      </p>
    </>
  );
}
