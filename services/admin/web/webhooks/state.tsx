import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

type Webhook = AnswerOf<'GetWebhook'>;

/** Whether events are delivered, and if not, why. */
export function WebhookState({ webhook: { enabled, disabledReason } }: { readonly webhook: Webhook }) {
  const t = useTexts(texts);
  if (enabled) return <span className="badge badge-ok">{t('enabled')}</span>;
  return disabledReason === null ? (
    <span className="badge">{t('disabled')}</span>
  ) : (
    <span className="badge badge-danger whitespace-normal">{t(disabledReason)}</span>
  );
}
