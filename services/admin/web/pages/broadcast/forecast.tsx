import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

type Broadcast = AnswerOf<'GetBroadcast'>;

/** How many recipients are still to come, and when the last of them gets it; before the start too. */
export function ForecastCard({ broadcast }: { readonly broadcast: Broadcast }) {
  const t = useTexts(texts);
  const isOver = ['completed', 'cancelled', 'failed'].includes(broadcast.status);
  const isKnown = broadcast.forecast !== undefined && broadcast.forecast !== null;
  const asked = useAsk('GetBroadcastForecast', { params: { id: broadcast.id } }, { when: !isOver && !isKnown });
  if (isOver) return null;
  const forecast = isKnown ? { ...asked, data: broadcast.forecast ?? undefined } : asked;
  return (
    <Card title={t('forecast')}>
      <Loaded of={forecast}>{(found) => <Forecast forecast={found} />}</Loaded>
    </Card>
  );
}

function Forecast({ forecast }: { readonly forecast: AnswerOf<'GetBroadcastForecast'> }) {
  const t = useTexts(texts);
  const { number, dateTime, date } = useFormats();
  const { remaining, endsAt, heldUpBy, days } = forecast;
  return (
    <>
      <p className="text-lg font-semibold">{t('remaining', { count: remaining })}</p>
      <p>{endsAt === null ? t('noEnd') : t('ends', { when: dateTime(endsAt) })}</p>
      {heldUpBy.length > 0 && (
        <ul className="list-disc ps-5 text-muted">
          {heldUpBy.map((word) => (
            <li key={word}>{t(word)}</li>
          ))}
        </ul>
      )}
      {days.length > 0 && (
        <table className="table" aria-label={t('forecast')}>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              <th scope="col">{t('messages')}</th>
            </tr>
          </thead>
          <tbody>
            {days.slice(0, 14).map(({ date: day, messages }) => (
              <tr key={day}>
                <td>{date(`${day}T12:00:00`)}</td>
                <td>{number(messages)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
