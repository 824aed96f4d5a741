import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

/** Shown beside the status while the network restricts the account. */
export function RestrictedBadge({ restriction }: Pick<AnswerOf<'GetProfile'>, 'restriction'>) {
  const t = useTexts(texts);
  return restriction ? <span className="badge badge-danger">{t('restricted')}</span> : null;
}
