import { useTexts } from '../language/language.tsx';
import type { Message } from './shapes.ts';
import { failureWords, stateWords } from './texts.ts';

const looks: Partial<Readonly<Record<Message['status'], string>>> = {
  failed: 'badge-danger',
  unknown: 'badge-warn',
  delivered: 'badge-ok',
  read: 'badge-accent',
  played: 'badge-accent',
};

/** How far a message has come, in a word and its colour. */
export function StateBadge({ status }: { readonly status: Message['status'] }) {
  const words = useTexts(stateWords);
  return <span className={`badge ${looks[status] ?? ''}`}>{words(status)}</span>;
}

const isFailureWord = (code: string): code is keyof typeof failureWords => code in failureWords;

/** Why a message failed, by the code of its error; undefined where only the server has words for it. */
export function useFailureWords(): (code: string) => string | undefined {
  const words = useTexts(failureWords);
  return (code) => (isFailureWord(code) ? words(code) : undefined);
}
