import type { AnswerOf } from '../api/operations.ts';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

export type Results = AnswerOf<'AddGroupParticipants'>['results'];

/** The result of a change of members for each person. */
export function ResultsTable({ results }: { readonly results: Results }) {
  const t = useTexts(texts);
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="table" aria-label={t('results')}>
        <thead>
          <tr>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ phone, status, message }) => (
            <tr key={phone}>
              <td>
                <bdi dir="ltr">{phone}</bdi>
              </td>
              <td>
                <span className={status === 200 ? 'badge badge-ok' : 'badge badge-warn'}>
                  {status === 200 ? t('done') : t('refused', { status: String(status) })}
                </span>
                {message !== undefined && <p className="text-muted">{message}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
