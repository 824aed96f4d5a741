import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { placeAfter } from '../../session/after.ts';
import { useNext } from '../../session/entering.ts';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  useTitle(t('title'));
  const { values, bind } = useFields({ currentPassword: '', newPassword: '' });
  const { write, problem, isBusy } = useWrite('ChangePassword', 'GetMe');
  const next = useNext();
  const navigate = useNavigate();
  const say = useSay();
  const submit = async () => {
    if ((await write({ body: values })) === undefined) return;
    say(t('changed'));
    const [path = '/', search] = placeAfter(next, location.origin).split('?');
    await navigate({ to: path, search: Object.fromEntries(new URLSearchParams(search)) });
  };
  return (
    <>
      <h1 className="text-xl font-semibold">{t('title')}</h1>
      <p className="text-muted">{t('why')}</p>
      <Form onSubmit={submit} problem={problem}>
        <TextField
          label={t('current')}
          type="password"
          autoComplete="current-password"
          autoFocus
          {...bind('currentPassword')}
        />
        <TextField
          label={t('next')}
          type="password"
          autoComplete="new-password"
          hint={t('hint')}
          {...bind('newPassword')}
        />
        <Button type="submit" kind="primary" busy={isBusy}>
          {t('title')}
        </Button>
      </Form>
    </>
  );
}
