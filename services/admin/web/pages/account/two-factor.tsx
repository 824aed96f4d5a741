import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton, CopyField } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { QrPicture } from '../../kit/qr.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMe } from '../../session/me.tsx';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

/** The second factor: on, off, and the codes that replace it. */
export function TwoFactorCard() {
  const t = useTexts(texts);
  const { twoFactorEnabled, backupCodesRemaining } = useMe();
  const setUp = useWrite('SetUpTwoFactor');
  const [secret, setSecret] = useState<AnswerOf<'SetUpTwoFactor'>>();
  const [open, setOpen] = useState<'renew' | 'disable'>();
  const close = () => setOpen(undefined);
  return (
    <Card title={t('twoFactor')}>
      <p className="text-muted">
        {twoFactorEnabled ? t('twoFactorOn', { count: backupCodesRemaining }) : t('twoFactorOff')}
      </p>
      {setUp.problem && <ProblemAlert problem={setUp.problem} />}
      <div className="flex flex-wrap gap-2">
        {twoFactorEnabled ? (
          <>
            <Button onClick={() => setOpen('renew')}>{t('renew')}</Button>
            <Button onClick={() => setOpen('disable')}>{t('disable')}</Button>
          </>
        ) : (
          <Button busy={setUp.isBusy} onClick={() => void setUp.write({}).then((told) => setSecret(told?.answer))}>
            {t('enable')}
          </Button>
        )}
      </div>
      {secret && <EnableDialog secret={secret} onClose={() => setSecret(undefined)} />}
      {open === 'renew' && <RenewDialog onClose={close} />}
      {open === 'disable' && <DisableDialog onClose={close} />}
    </Card>
  );
}

interface Given {
  readonly onClose: () => void;
}

function EnableDialog({ secret, onClose }: Given & { readonly secret: AnswerOf<'SetUpTwoFactor'> }) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ code: '' });
  const { write, problem, isBusy } = useWrite('EnableTwoFactor', 'GetMe');
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog title={t('enable')} onClose={onClose}>
      {codes ? (
        <BackupCodes codes={codes} />
      ) : (
        <Form
          problem={problem}
          onSubmit={async () => setCodes((await write({ body: { code: values.code.trim() } }))?.answer.backupCodes)}
        >
          <p className="text-muted">{t('scan')}</p>
          <QrPicture text={secret.otpauthUrl} label={t('qr')} />
          <CopyField label={t('secret')} value={secret.secret} />
          <TextField
            label={t('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            autoFocus
            {...bind('code')}
          />
          <div className="flex justify-end">
            <Button type="submit" kind="primary" busy={isBusy}>
              {t('enableSubmit')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function RenewDialog({ onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ code: '' });
  const { write, problem, isBusy } = useWrite('RenewBackupCodes', 'GetMe');
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog title={t('renew')} onClose={onClose}>
      {codes ? (
        <BackupCodes codes={codes} />
      ) : (
        <Form
          problem={problem}
          onSubmit={async () => setCodes((await write({ body: { code: values.code.trim() } }))?.answer.backupCodes)}
        >
          <TextField label={t('code')} autoComplete="one-time-code" dir="ltr" autoFocus {...bind('code')} />
          <div className="flex justify-end">
            <Button type="submit" kind="primary" busy={isBusy}>
              {t('renewSubmit')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function DisableDialog({ onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ password: '', code: '' });
  const { write, problem, isBusy } = useWrite('DisableTwoFactor', 'GetMe');
  const submit = async () => {
    if (await write({ body: { ...values, code: values.code.trim() } })) onClose();
  };
  return (
    <Dialog title={t('disable')} onClose={onClose}>
      <Form problem={problem} onSubmit={submit}>
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          autoFocus
          {...bind('password')}
        />
        <TextField label={t('code')} autoComplete="one-time-code" dir="ltr" {...bind('code')} />
        <div className="flex justify-end">
          <Button type="submit" kind="danger" busy={isBusy}>
            {t('disableSubmit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const t = useTexts(texts);
  return (
    <div className="grid gap-3">
      <p className="text-muted">{t('backupText')}</p>
      <ul aria-label={t('backupCodes')} className="grid grid-cols-2 gap-2 rounded-lg bg-sunken p-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.join('\n')} />
      </div>
    </div>
  );
}
