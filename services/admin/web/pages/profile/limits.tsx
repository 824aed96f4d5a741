import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form, ShowAsCurl } from '../../kit/form.tsx';
import { limitIn, numberIn } from '../../kit/typed.ts';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Profile = AnswerOf<'GetProfile'>;

/** Name, delay and daily limit, and how much of the limit is used. */
export function LimitsCard({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime, inUtc } = useFormats();
  const { dailyMessageCount: sent, dailyMessageLimit: limit, dailyResetAt } = profile;
  return (
    <Card title={t('limits')}>
      <dl className="grid gap-1">
        <dt className="text-muted">{t('sentToday')}</dt>
        <dd className="text-lg font-semibold">
          {limit === null ? t('noLimit', { sent }) : t('ofLimit', { sent, limit })}
        </dd>
        {limit !== null && limit > 0 && (
          <dd>
            <progress
              aria-label={t('sentToday')}
              className="h-2 w-full accent-accent"
              max={limit}
              value={Math.min(sent, limit)}
            />
          </dd>
        )}
        <dd className="text-muted">{t('resets', { local: dateTime(dailyResetAt), utc: inUtc(dailyResetAt) })}</dd>
        <dt className="mt-2 text-muted">{t('id')}</dt>
        <dd className="font-mono text-xs">{profile.id}</dd>
      </dl>
      {may('profile:update') && <LimitsForm profile={profile} />}
    </Card>
  );
}

const textOf = (limit: number | null | undefined): string => (limit === null || limit === undefined ? '' : String(limit));

function LimitsForm({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const say = useSay();
  const { values, bind } = useFields({
    name: profile.name,
    messageDelayMs: String(profile.messageDelayMs),
    dailyMessageLimit: profile.dailyMessageLimit === null ? '' : String(profile.dailyMessageLimit),
    handoverMinutes: String(profile.handoverMinutes),
    strangerDailyLimit: textOf(profile.strangerDailyLimit),
    numberChecksPerDay: textOf(profile.numberChecksPerDay),
    warmupDays: textOf(profile.warmup?.days),
    warmupFrom: textOf(profile.warmup?.from),
    warmupTo: textOf(profile.warmup?.to),
  });
  const { write, problem, isBusy } = useWrite('UpdateProfile', 'GetProfile', 'ListProfiles');
  const request = {
    params: { id: profile.id },
    body: {
      name: values.name,
      messageDelayMs: numberIn(values.messageDelayMs),
      dailyMessageLimit: limitIn(values.dailyMessageLimit),
      handoverMinutes: numberIn(values.handoverMinutes),
      strangerDailyLimit: limitIn(values.strangerDailyLimit),
      numberChecksPerDay: limitIn(values.numberChecksPerDay),
      warmup:
        values.warmupDays === ''
          ? null
          : {
              days: numberIn(values.warmupDays),
              from: numberIn(values.warmupFrom),
              to: numberIn(values.warmupTo),
            },
    },
  };
  return (
    <Form
      problem={problem}
      onSubmit={async () => {
        if (await write(request)) say(t('saved'));
      }}
    >
      <TextField label={t('name')} maxLength={100} {...bind('name')} />
      <TextField label={t('delay')} inputMode="numeric" {...bind('messageDelayMs')} />
      <TextField label={t('limit')} inputMode="numeric" {...bind('dailyMessageLimit')} />
      <TextField label={t('handover')} inputMode="numeric" {...bind('handoverMinutes')} />
      <TextField label={t('strangerLimit')} inputMode="numeric" {...bind('strangerDailyLimit')} />
      <TextField label={t('numberChecks')} inputMode="numeric" {...bind('numberChecksPerDay')} />
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField label={t('warmupDays')} inputMode="numeric" {...bind('warmupDays')} />
        <TextField label={t('warmupFrom')} inputMode="numeric" {...bind('warmupFrom')} />
        <TextField label={t('warmupTo')} inputMode="numeric" {...bind('warmupTo')} />
      </div>
      <ShowAsCurl name="UpdateProfile" request={request} />
      <div>
        <Button type="submit" kind="primary" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </Form>
  );
}
