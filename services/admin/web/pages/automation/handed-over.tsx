import { useAsk, useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

/** Chats in which somebody has taken over, so that nothing answers by itself. */
export function HandedOver({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime } = useFormats();
  const asked = useAsk('ListConversations', { query: { profileId, limit: 200 } });
  const { write, problem, isBusy } = useWrite('ResumeConversation', 'ListConversations');
  useRereadOn({ 'conversation.updated': ['ListConversations'] });
  return (
    <Card title={t('handedOver')}>
      <p className="text-muted">{t('handedOverText')}</p>
      {problem && <ProblemAlert problem={problem} />}
      <Loaded of={asked}>
        {({ items }) => {
          const chats = items.filter(({ handoverUntil }) => handoverUntil !== null);
          if (chats.length === 0) return <p>{t('noHandedOver')}</p>;
          return (
            <ul className="grid gap-2" aria-label={t('handedOver')}>
              {chats.map(({ id, name, jid, handoverUntil }) => (
                <li key={id} className="flex flex-wrap items-center justify-between gap-2">
                  <span>
                    <PageLink to={`/inbox/${id}`}>
                      <bdi>{name ?? jid}</bdi>
                    </PageLink>{' '}
                    <span className="text-muted">
                      {t('until')} {dateTime(handoverUntil ?? 0)}
                    </span>
                  </span>
                  {may('message:send') && (
                    <Button busy={isBusy} onClick={() => void write({ params: { id } })}>
                      {t('resume')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
