import { useEffect, useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import { serverNow } from '../../api/clock.ts';
import { QrPicture } from '../../kit/qr.tsx';
import { useTexts } from '../../language/language.tsx';
import { useLiveEvents } from '../../live/live.tsx';
import type { Status } from '../../profiles/status-badge.tsx';
import { texts } from './texts.ts';

interface Code {
  readonly qr: string;
  readonly expiresAt: string;
}

/** The code of this moment: each next one takes its place as soon as it is told. */
function useCode(profileId: string, status: Status): Code | undefined {
  const [told, setTold] = useState<Code>();
  const { data } = useAsk(
    'GetProfileQr',
    { params: { id: profileId }, query: {} },
    { when: status === 'awaiting_scan' && told === undefined, staleTime: 0 },
  );
  useLiveEvents(({ event, profileId: whose, data: code }) => {
    if (event === 'connection.qr' && whose === profileId)
      setTold({ qr: String(code['qr']), expiresAt: String(code['expiresAt']) });
  });
  if (told === undefined || data === undefined) return told ?? data;
  return Date.parse(told.expiresAt) >= Date.parse(data.expiresAt) ? told : data;
}

/** Seconds until a time of the server, each second anew. */
function useSecondsUntil(time: string | undefined): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return time === undefined ? 0 : Math.ceil((Date.parse(time) - now) / 1000);
}

/** The QR code with the time that is left of it. */
export function QrCard({ profileId, status }: { readonly profileId: string; readonly status: Status }) {
  const t = useTexts(texts);
  const code = useCode(profileId, status);
  const seconds = useSecondsUntil(code?.expiresAt);
  if (code === undefined || seconds <= 0)
    return (
      <div className="grid aspect-square w-full max-w-80 min-w-52 place-items-center rounded-xl bg-sunken p-6 text-center text-muted">
        {code === undefined ? t('making') : t('next')}
      </div>
    );
  return (
    <div className="grid gap-2">
      <QrPicture text={code.qr} label={t('qr')} />
      <p>{t('expires', { seconds })}</p>
      <p className="text-muted">{t('qrText')}</p>
    </div>
  );
}
