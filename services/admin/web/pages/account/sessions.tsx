import { useAsk, useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { tellSignedOut } from '../../session/session.ts';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

/** Where somebody is signed in, each with a way to end it. */
export function SessionsCard() {
  const t = useTexts(texts);
  const say = useSay();
  const { dateTime } = useFormats();
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
  const problem = one.problem ?? others.problem;
  return (
    <Card title={t('sessions')}>
      {problem && <ProblemAlert problem={problem} />}
      <Loaded of={sessions}>
        {(items) => (
          <>
            <div role="group" aria-label={t('sessions')} tabIndex={0} className="overflow-x-auto">
              <table className="table" aria-label={t('sessions')} aria-rowcount={items.length + 1}>
                <thead>
                  <tr>
                    <th scope="col">{t('browser')}</th>
                    <th scope="col">{t('address')}</th>
                    <th scope="col">{t('lastActive')}</th>
                    <th scope="col">
                      <span className="sr-only">{t('actions')}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, current, userAgent, ipAddress, lastActiveAt }) => (
                    <tr key={id}>
                      <td className="wrap-anywhere">
                        <bdi>{userAgent ?? t('unknownBrowser')}</bdi>{' '}
                        {current && <span className="badge badge-accent">{t('thisOne')}</span>}
                      </td>
                      <td>{ipAddress ?? '–'}</td>
                      <td>{dateTime(lastActiveAt)}</td>
                      <td>
                        <Button busy={one.isBusy} onClick={() => void end(id, current)}>
                          {t('end')}
                        </Button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
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
