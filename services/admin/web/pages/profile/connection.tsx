import { useState } from 'react';
import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { RestrictedBadge } from '../../profiles/restricted-badge.tsx';
import { StatusBadge, type Status } from '../../profiles/status-badge.tsx';
import { reasonWords } from '../../profiles/texts.ts';
import { useMay } from '../../session/me.tsx';
import { PairingDialog } from './pairing.tsx';
import { QrCard } from './qr-code.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Profile = AnswerOf<'GetProfile'>;

/** Statuses in which nothing holds a connection: it can be begun. */
const isDown = (status: Status): boolean => ['disconnected', 'logged_out', 'failed'].includes(status);

/** Where the connection stands, why, what to do about it, and the code to scan. */
export function ConnectionCard({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime } = useFormats();
  const { data: told } = useAsk('GetProfileStatus', { params: { id: profile.id }, query: {} });
  const connect = useWrite('ConnectProfile', 'GetProfileStatus', 'GetProfile');
  const disconnect = useWrite('DisconnectProfile', 'GetProfileStatus', 'GetProfile');
  const [isPairing, setPairing] = useState(false);
  const { id, status, phoneNumber, pushName } = profile;
  const isLinking = ['connecting', 'awaiting_scan'].includes(status) && phoneNumber === null;
  const problem = connect.problem ?? disconnect.problem;
  return (
    <Card title={t('connection')}>
      <div role="status" aria-label={t('connection')} className="flex flex-wrap items-center gap-3">
        <StatusBadge status={status} />
        <RestrictedBadge restriction={profile.restriction} />
        {phoneNumber !== null && (
          <span className="font-medium" dir="ltr">
            +{phoneNumber}
          </span>
        )}
        {pushName !== null && <span className="text-muted">{pushName}</span>}
      </div>
      {told && told.status === status && <Reason told={told} />}
      {told && told.status === status && <p className="text-muted">{t('since', { when: dateTime(told.since) })}</p>}
      {problem && <ProblemAlert problem={problem} />}
      {may('profile:connect') && (
        <>
          {isLinking && <QrCard profileId={id} status={status} />}
          <div className="flex flex-wrap gap-2">
            {isDown(status) ? (
              <Button
                kind="primary"
                icon="link"
                busy={connect.isBusy}
                onClick={() => {
                  disconnect.forget();
                  void connect.write({ params: { id } });
                }}
              >
                {t('connect')}
              </Button>
            ) : (
              <Button
                icon="unlink"
                busy={disconnect.isBusy}
                onClick={() => {
                  connect.forget();
                  void disconnect.write({ params: { id } });
                }}
              >
                {t('disconnect')}
              </Button>
            )}
            {status !== 'connected' && (
              <Button icon="phone" onClick={() => setPairing(true)}>
                {t('pair')}
              </Button>
            )}
          </div>
        </>
      )}
      {isPairing && status !== 'connected' && <PairingDialog profileId={id} onClose={() => setPairing(false)} />}
    </Card>
  );
}

/** Why, in words, with what to do. */
function Reason({ told }: { readonly told: AnswerOf<'GetProfileStatus'> }) {
  const t = useTexts(texts);
  const words = useTexts(reasonWords);
  const { statusReason, statusDetail, status } = told;
  if (statusReason === null || status === 'connected') return null;
  return (
    <div className="grid gap-1 rounded-lg bg-warn-soft p-3 text-warn">
      <p>{words(statusReason)}</p>
      {statusDetail !== undefined && <p className="font-mono text-xs">{t('detail', { detail: statusDetail })}</p>}
    </div>
  );
}
