import { useAsk } from '../api/asking.ts';
import { Icon } from '../kit/icon.tsx';
import { PageLink } from '../kit/link.tsx';
import { useFormats, useTexts } from '../language/language.tsx';
import { useRereadOn } from '../live/live.tsx';
import { texts } from './texts.ts';

/** There may be a new one every second. */
const restMs = 10_000;

/** A way to the notifications, with how many are unread. */
export function Bell() {
  const t = useTexts(texts);
  const { number } = useFormats();
  const { data } = useAsk('CountUnreadNotifications', {});
  useRereadOn({ 'notification.created': ['CountUnreadNotifications'] }, restMs);
  const count = data?.count ?? 0;
  const label = count === 0 ? t('noUnread') : t('unreadNotifications', { count });
  return (
    <PageLink to="/notifications" aria-label={label} className="button button-quiet button-icon relative">
      <Icon name="notifications" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute end-0 top-0 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 font-semibold text-on-accent"
        >
          {number(count)}
        </span>
      )}
    </PageLink>
  );
}
