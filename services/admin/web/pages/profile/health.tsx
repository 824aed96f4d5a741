import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { RestrictedBadge } from '../../profiles/restricted-badge.tsx';
import { texts } from './texts.ts';

type Health = AnswerOf<'GetProfileHealth'>;

/** What the network allows the account of the profile. */
export function HealthCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const [isFresh, setFresh] = useState(false);
  const health = useAsk('GetProfileHealth', { params: { id: profileId }, query: isFresh ? { fresh: true } : {} });
  return (
    <Card
      title={t('health')}
      actions={
        <Button icon="refresh" onClick={() => (isFresh ? health.retry() : setFresh(true))}>
          {t('checkNow')}
        </Button>
      }
    >
      <Loaded of={health}>{(found) => <HealthFacts health={found} />}</Loaded>
    </Card>
  );
}

function HealthFacts({ health }: { readonly health: Health }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const { checkedAt, restriction, newChats, today, limits } = health;
  return (
    <dl className="grid gap-1">
      <dt className="text-muted">{t('restriction')}</dt>
      <dd role="status" aria-label={t('restriction')} className="grid justify-items-start gap-1">
        {restriction === null ? t('notRestricted') : <RestrictionFacts restriction={restriction} />}
      </dd>
      {newChats !== null && (
        <>
          <dt className="mt-2 text-muted">{t('newChats')}</dt>
          <dd>{t('newChatsUsed', { used: newChats.used, quota: newChats.quota })}</dd>
          {newChats.status !== 'none' && <dd className="text-warn">{t(newChats.status)}</dd>}
          {newChats.cycleEnd !== null && (
            <dd className="text-muted">{t('cycleEnd', { when: dateTime(newChats.cycleEnd) })}</dd>
          )}
        </>
      )}
      <dt className="mt-2 text-muted">{t('strangersToday')}</dt>
      <dd>
        {limits.strangers === null
          ? t('noLimit', { sent: today.strangers })
          : t('ofLimit', { sent: today.strangers, limit: limits.strangers })}
      </dd>
      {today.refused > 0 && (
        <>
          <dt className="mt-2 text-muted">{t('refusedToday')}</dt>
          <dd>{today.refused}</dd>
        </>
      )}
      <dd className="mt-2 text-muted">
        {checkedAt === null ? t('neverChecked') : t('checked', { when: dateTime(checkedAt) })}
      </dd>
    </dl>
  );
}

function RestrictionFacts({ restriction }: { readonly restriction: NonNullable<Health['restriction']> }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const { type, since, until } = restriction;
  return (
    <>
      <RestrictedBadge restriction={restriction} />
      <p>{t('restrictedText')}</p>
      <p className="text-muted">{t('since', { when: dateTime(since) })}</p>
      {until !== null && <p className="font-medium">{t('restrictedUntil', { when: dateTime(until) })}</p>}
      <p className="font-mono text-xs">{type}</p>
    </>
  );
}
