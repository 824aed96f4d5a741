import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { statusWords } from './texts.ts';

export type Status = AnswerOf<'GetProfile'>['status'];

const looks: Readonly<Record<Status, string>> = {
  disconnected: '',
  connecting: 'badge-accent',
  awaiting_scan: 'badge-accent',
  connected: 'badge-ok',
  reconnecting: 'badge-warn',
  logged_out: 'badge-danger',
  failed: 'badge-danger',
};

/** The word of a connection's status, in its colour. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const words = useTexts(statusWords);
  return (
    <span className={`badge ${looks[status]}`}>
      <span aria-hidden="true" className="size-2 rounded-full bg-current" />
      {words(status)}
    </span>
  );
}
