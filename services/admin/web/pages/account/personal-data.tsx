import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import { apiAddress } from '../../api/sending.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../language/language.tsx';
import { tellSignedOut } from '../../session/session.ts';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

/** All that is held about somebody, as a file; and its end. */
export function PersonalDataCard() {
  const t = useTexts(texts);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Card title={t('data')}>
      <p className="text-muted">{t('dataText')}</p>
      <div className="flex flex-wrap gap-2">
        <a className="button" download="personal-data.json" href={apiAddress('/account/export')}>
          <Icon name="download" />
          {t('export')}
        </a>
        <Button icon="trash" onClick={() => setDeleting(true)}>
          {t('deleteAccount')}
        </Button>
      </div>
      {isDeleting && <DeleteAccountDialog onClose={() => setDeleting(false)} />}
    </Card>
  );
}

function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ password: '' });
  const { write, problem, isBusy } = useWrite('DeleteAccountData');
  const submit = async () => {
    if (await write({ body: values })) tellSignedOut();
  };
  return (
    <Dialog role="alertdialog" title={t('deleteAccount')} onClose={onClose}>
      <Form onSubmit={submit} problem={problem}>
        <p className="text-muted">{t('deleteText')}</p>
        <TextField label={t('password')} type="password" autoComplete="current-password" {...bind('password')} />
        <div className="flex justify-end">
          <Button type="submit" kind="danger" busy={isBusy}>
            {t('delete')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
