import { useState } from 'react';
import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

type WebhookReply = AnswerOf<'GetWebhookReply'>;

/** The URL that answers for a profile what nothing before it has answered. */
export function WebhookReplyCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const asked = useAsk('GetWebhookReply', { params: { profileId } });
  const isNone = asked.problem?.status === 404;
  return (
    <section className="card grid gap-3" aria-labelledby="webhook-reply">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="webhook-reply" className="text-base font-semibold">
          {t('url')}
        </h2>
        {may('automation:update') && (isNone || asked.data) && (
          <Button icon="edit" onClick={() => setOpen(true)}>
            {t('configureUrl')}
          </Button>
        )}
      </div>
      <p className="text-muted">{t('urlText')}</p>
      {isNone ? <p>{t('urlNone')}</p> : <Loaded of={asked}>{(found) => <Shown {...found} />}</Loaded>}
      {isOpen && (
        <WebhookReplyDialog
          profileId={profileId}
          before={isNone ? undefined : asked.data}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

function Shown({ url, enabled, hasSecret }: WebhookReply) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  return (
    <p className="flex flex-wrap items-center gap-2">
      <bdi dir="ltr" className="[overflow-wrap:anywhere]">
        {url}
      </bdi>
      <span className={`badge ${enabled ? 'badge-ok' : ''}`}>{common(enabled ? 'enabled' : 'disabled')}</span>
      {hasSecret && <span className="badge">{t('signed')}</span>}
    </p>
  );
}

interface Given {
  readonly profileId: string;
  readonly before: WebhookReply | undefined;
  readonly onClose: () => void;
}

function WebhookReplyDialog({ profileId, before, onClose }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const say = useSay();
  const { values, bind } = useFields({ url: before?.url ?? '', enabled: before?.enabled ?? true, secret: '' });
  const { write, problem, isBusy } = useWrite('ConfigureWebhookReply', 'GetWebhookReply');
  const { url, enabled, secret } = values;
  const request = { body: { profileId, url, enabled, ...(secret !== '' && { secret }) } };
  return (
    <FormDialog
      title={t('configureUrl')}
      submit={common('save')}
      onClose={onClose}
      onSubmit={async () => {
        if (!(await write(request))) return;
        say(common('saved'));
        onClose();
      }}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'ConfigureWebhookReply', request }}
    >
      <TextField label={t('address')} type="url" dir="ltr" {...bind('url')} />
      <TextField
        label={t('secret')}
        hint={t('secretHint')}
        type="password"
        autoComplete="new-password"
        {...bind('secret')}
      />
      <Checkbox label={t('enabled')} {...bind('enabled')} />
    </FormDialog>
  );
}
