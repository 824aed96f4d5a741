import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { statusWords } from './texts.ts';

type Status = AnswerOf<'GetBroadcast'>['status'];

const looks: Readonly<Record<Status, string>> = {
  draft: '',
  scheduled: 'badge-accent',
  running: 'badge-accent',
  paused: 'badge-warn',
  completed: 'badge-ok',
  cancelled: '',
  failed: 'badge-danger',
};

/** The word of a broadcast's status, in its colour. */
export function BroadcastBadge({ status }: { readonly status: Status }) {
  const words = useTexts(statusWords);
  return <span className={`badge ${looks[status]}`}>{words(status)}</span>;
}
