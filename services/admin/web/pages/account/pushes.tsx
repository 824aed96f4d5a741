import { useEffect, useState } from 'react';
import { useList, useWrite } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { canBePushedTo, requestOf, subscribeHere } from '../../push/browser.ts';
import { subscriptionHere } from '../../push/leaving.ts';
import { pushTexts } from './push-texts.ts';

type Device = AnswerOf<'ListPushSubscriptions'>['items'][number];

/** The endpoint of this browser; undefined: it is not pushed to. */
function useThisBrowser() {
  const [endpoint, setEndpoint] = useState<string>();
  useEffect(() => {
    let isLeft = false;
    void subscriptionHere().then((found) => {
      if (!isLeft) setEndpoint(found?.endpoint);
    });
    return () => {
      isLeft = true;
    };
  }, []);
  return [endpoint, setEndpoint] as const;
}

/** Web Push: on and off in this browser, tried, and the browsers that have it. */
export function PushesCard() {
  const t = useTexts(pushTexts);
  const say = useSay();
  const devices = useList('ListPushSubscriptions', { query: {} });
  const [endpoint, setEndpoint] = useThisBrowser();
  const [refusal, setRefusal] = useState<Problem | 'refused'>();
  const [isTurning, setTurning] = useState(false);
  const subscribing = useWrite('SubscribeToPush', 'ListPushSubscriptions');
  const unsubscribing = useWrite('UnsubscribeFromPush', 'ListPushSubscriptions');
  const testing = useWrite('TestPush', 'ListPushSubscriptions');
  const isOn = endpoint !== undefined && devices.items.some((device) => device.endpoint === endpoint);
  const turnOn = async () => {
    setTurning(true);
    setRefusal(undefined);
    try {
      const { publicKey } = await ask('GetVapidKey', {});
      const subscription = await subscribeHere(publicKey);
      if ((await subscribing.write(requestOf(subscription))) === undefined) return;
      setEndpoint(subscription.endpoint);
      say(t('turnedOn'));
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof DOMException)) throw error;
      setRefusal(error instanceof Problem ? error : 'refused');
    } finally {
      setTurning(false);
    }
  };
  const remove = async (device: Pick<Device, 'endpoint'>) => {
    if ((await unsubscribing.write({ body: { endpoint: device.endpoint } })) === undefined) return;
    if (device.endpoint === endpoint) {
      await (await subscriptionHere())?.unsubscribe();
      setEndpoint(undefined);
    }
    say(t('removed'));
  };
  const test = async () => {
    const done = await testing.write({});
    if (done) say(t('tested', { sent: done.answer.sent, failed: done.answer.failed + done.answer.removed }));
  };
  const problem = subscribing.problem ?? unsubscribing.problem ?? testing.problem;
  return (
    <Card
      title={t('title')}
      actions={
        <>
          {devices.items.length > 0 && (
            <Button busy={testing.isBusy} onClick={() => void test()}>
              {t('test')}
            </Button>
          )}
          {canBePushedTo() &&
            (isOn ? (
              <Button busy={unsubscribing.isBusy} onClick={() => void remove({ endpoint })}>
                {t('turnOff')}
              </Button>
            ) : (
              <Button kind="primary" icon="notifications" busy={isTurning} onClick={() => void turnOn()}>
                {t('turnOn')}
              </Button>
            ))}
        </>
      }
    >
      <p className="text-muted">{t('text')}</p>
      {!canBePushedTo() && <p className="text-warn">{t('cannot')}</p>}
      {refusal === 'refused' && (
        <p role="alert" className="text-danger">
          {t('refused')}
        </p>
      )}
      {refusal instanceof Problem && <ProblemAlert problem={refusal} />}
      {problem && <ProblemAlert problem={problem} />}
      <Devices devices={devices} here={endpoint} onRemove={(device) => void remove(device)} />
    </Card>
  );
}

interface DevicesGiven {
  readonly devices: ReturnType<typeof useList<'ListPushSubscriptions'>>;
  readonly here: string | undefined;
  readonly onRemove: (device: Device) => void;
}

function Devices({ devices, here, onRemove }: DevicesGiven) {
  const t = useTexts(pushTexts);
  const columns = useColumns(here, onRemove);
  return (
    <Table label={t('devices')} pages={devices} keyOf={({ id }) => id} empty={<p>{t('none')}</p>} columns={columns} />
  );
}

function useColumns(here: string | undefined, onRemove: (device: Device) => void): readonly Column<Device>[] {
  const t = useTexts(pushTexts);
  const { dateTime } = useFormats();
  return [
    {
      heading: t('service'),
      cell: ({ endpoint }) => (
        <>
          <bdi>{new URL(endpoint).host}</bdi>{' '}
          {endpoint === here && <span className="badge badge-accent">{t('here')}</span>}
        </>
      ),
    },
    { heading: t('since'), isWide: true, cell: ({ createdAt }) => dateTime(createdAt) },
    {
      heading: t('last'),
      isWide: true,
      cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? t('never') : dateTime(lastSuccessAt)),
    },
    {
      heading: t('remove'),
      isHeadingHidden: true,
      cell: (device) => <Button onClick={() => onRemove(device)}>{t('remove')}</Button>,
    },
  ];
}
