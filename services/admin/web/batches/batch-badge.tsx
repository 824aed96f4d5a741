import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { statusWords } from './texts.ts';

type Status = AnswerOf<'GetBatch'>['status'];

const looks: Readonly<Record<Status, string>> = {
  queued: '',
  processing: 'badge-accent',
  completed: 'badge-ok',
  cancelled: '',
  failed: 'badge-danger',
};

/** The word of a batch's status, in its colour. */
export function BatchBadge({ status }: { readonly status: Status }) {
  const words = useTexts(statusWords);
  return <span className={`badge ${looks[status]}`}>{words(status)}</span>;
}
