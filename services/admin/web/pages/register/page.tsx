import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { isDemo } from '../../session/demo.ts';
import { useEntering, useNext } from '../../session/entering.ts';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  useTitle(t('title'));
  const next = useNext();
  return (
    <>
      <h1 className="text-xl font-semibold">{t('title')}</h1>
      {isDemo ? <p>{t('off')}</p> : <RegisterForm />}
      <p className="text-muted">
        {t('known')}{' '}
        <PageLink to={next === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`}>
          {t('signIn')}
        </PageLink>
      </p>
    </>
  );
}

function RegisterForm() {
  const t = useTexts(texts);
  const { values, bind } = useFields({ name: '', email: '', password: '', organizationName: '' });
  const { write, problem, isBusy } = useWrite('Register');
  const enter = useEntering();
  const submit = async () => {
    const { organizationName, ...person } = values;
    const organization = organizationName.trim();
    const done = await write({ body: { ...person, ...(organization !== '' && { organizationName: organization }) } });
    if (done) enter(done.answer);
  };
  return (
    <Form onSubmit={submit} problem={problem}>
      <TextField label={t('name')} autoComplete="name" autoFocus {...bind('name')} />
      <TextField label={t('email')} type="email" autoComplete="username" {...bind('email')} />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
        {...bind('password')}
      />
      <TextField label={t('organization')} autoComplete="organization" {...bind('organizationName')} />
      <Button type="submit" kind="primary" busy={isBusy}>
        {t('create')}
      </Button>
    </Form>
  );
}
