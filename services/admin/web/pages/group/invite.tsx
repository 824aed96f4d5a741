import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Loading } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly groupId: string;
  readonly profileId: string;
}

/** The invite link of a group, asked for when somebody wants it. */
export function InviteCard({ groupId, profileId }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const [isShown, setShown] = useState(false);
  const [isRevoking, setRevoking] = useState(false);
  const link = useAsk('GetInviteLink', { params: { groupId }, query: { profileId } }, { when: isShown });
  return (
    <section className="card grid gap-3">
      {!isShown && (
        <div>
          <Button icon="link" onClick={() => setShown(true)}>
            {t('invite')}
          </Button>
        </div>
      )}
      {link.problem && <ProblemAlert problem={link.problem} onRetry={link.retry} />}
      {link.isLoading && !link.problem && <Loading rows={1} />}
      {link.data && <CopyField label={t('invite')} value={link.data.link} hint={t('inviteHint')} />}
      {link.data && may('group:manage') && (
        <div>
          <Button icon="unlink" onClick={() => setRevoking(true)}>
            {t('revoke')}
          </Button>
        </div>
      )}
      {isRevoking && (
        <ConfirmDialog
          title={t('revoke')}
          submit={t('revoke')}
          operation="RevokeInviteLink"
          request={{ params: { groupId }, query: { profileId } }}
          rereads={['GetInviteLink']}
          onClose={() => setRevoking(false)}
        >
          {t('revokeText')}
        </ConfirmDialog>
      )}
    </section>
  );
}
