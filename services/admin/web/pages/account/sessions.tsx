import { useAsk, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import type { Column } from '../../kit/table.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { tellSignedOut } from '../../session/session.ts';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

type Session = AnswerOf<'ListSessions'>[number];

/** Where somebody is signed in, each with a way to end it. */
export function SessionsCard() {
  const t = useTexts(texts);
  const say = useSay();
  const sessions = useAsk('ListSessions', {});
  const one = useWrite('RevokeSession');
  const others = useWrite('RevokeOtherSessions');
  const end = async (id: string, current: boolean) => {
    if ((await one.write({ params: { id } })) === undefined) return;
    if (current) return tellSignedOut();
    sessions.retry();
    say(t('ended'));
  };
  const endOthers = async () => {
    if ((await others.write({})) === undefined) return;
    sessions.retry();
    say(t('ended'));
  };
  const columns = useColumns(one.isBusy, ({ id, current }) => void end(id, current));
  const problem = one.problem ?? others.problem;
  return (
    <Card title={t('sessions')}>
      {problem && <ProblemAlert problem={problem} />}
      <Loaded of={sessions}>
        {(items) => (
          <>
            <SmallTable label={t('sessions')} rows={items} keyOf={({ id }) => id} columns={columns} />
            {items.length > 1 && (
              <div>
                <Button busy={others.isBusy} onClick={() => void endOthers()}>
                  {t('endOthers')}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function useColumns(isBusy: boolean, onEnd: (session: Session) => void): readonly Column<Session>[] {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  return [
    {
      heading: t('browser'),
      className: 'wrap-anywhere',
      cell: ({ userAgent, current }) => (
        <>
          <bdi>{userAgent ?? t('unknownBrowser')}</bdi>{' '}
          {current && <span className="badge badge-accent">{t('thisOne')}</span>}
        </>
      ),
    },
    { heading: t('address'), cell: ({ ipAddress }) => ipAddress ?? '–' },
    { heading: t('lastActive'), cell: ({ lastActiveAt }) => dateTime(lastActiveAt) },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      cell: (session) => (
        <Button busy={isBusy} onClick={() => onEnd(session)}>
          {t('end')}
        </Button>
      ),
    },
  ];
}
