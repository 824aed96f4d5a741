import type { AnswerOf } from '../../api/operations.ts';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { useReading } from '../../session/readings.ts';
import { steps } from './readings.ts';
import { texts } from './texts.ts';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly isDone: boolean;
}

/** Which steps were taken. */
export const useStepsTaken = () => ({
  conversations: useReading(steps.conversations),
  keys: useReading(steps.keys),
  webhooks: useReading(steps.webhooks),
});

interface Given {
  readonly profiles: AnswerOf<'ListProfiles'>['items'];
  readonly taken: ReturnType<typeof useStepsTaken>;
}

/** From an empty organization to the first message and what programs need; gone once all is done. */
export function FirstSteps({ profiles, taken }: Given) {
  const t = useTexts(texts);
  const may = useMay();
  const [conversations, keys, webhooks] = [taken.conversations.data, taken.keys.data, taken.webhooks.data];
  const [first] = profiles;
  const isLinked = profiles.some(({ phoneNumber }) => phoneNumber !== null);
  const hasSent =
    profiles.some(({ dailyMessageCount }) => dailyMessageCount > 0) || (conversations?.items.length ?? 0) > 0;
  const steps: (Step | false)[] = [
    may('profile:create') && {
      title: t('profile'),
      text: t('profileText'),
      to: '/profiles',
      isDone: first !== undefined,
    },
    may('profile:connect') && {
      title: t('link'),
      text: t('linkText'),
      to: first === undefined ? '/profiles' : `/profiles/${first.id}`,
      isDone: isLinked,
    },
    may('message:send') &&
      conversations !== undefined && { title: t('send'), text: t('sendText'), to: '/inbox', isDone: hasSent },
    keys !== undefined && { title: t('key'), text: t('keyText'), to: '/api-keys', isDone: keys.items.length > 0 },
    webhooks !== undefined && {
      title: t('webhook'),
      text: t('webhookText'),
      to: '/webhooks',
      isDone: webhooks.items.length > 0,
    },
  ];
  const shown = steps.filter((step) => step !== false);
  const done = shown.filter(({ isDone }) => isDone).length;
  if (done === shown.length) return null;
  return (
    <section className="card grid gap-4" aria-labelledby="first-steps">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="first-steps" className="text-base font-semibold">
          {t('steps')}
        </h2>
        <p className="text-muted">{t('stepsText', { done, all: shown.length })}</p>
      </div>
      <ol className="grid gap-2">
        {shown.map((step, index) => (
          <li key={step.title} className="flex items-center gap-3 rounded-lg border border-line p-3">
            <span
              className={`grid size-8 shrink-0 place-items-center rounded-full text-xs font-semibold ${step.isDone ? 'bg-ok-soft text-ok' : 'bg-sunken'}`}
            >
              {step.isDone ? <Icon name="check" /> : index + 1}
            </span>
            <div className="min-w-0">
              <p>
                {step.isDone ? (
                  <>
                    {step.title} <span className="sr-only">{t('done')}</span>
                  </>
                ) : (
                  <PageLink to={step.to}>{step.title}</PageLink>
                )}
              </p>
              <p className="text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
